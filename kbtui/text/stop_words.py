"""English and Chinese function words: they carry a question, not what it is about."""

from __future__ import annotations

from typing import Final


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


ENGLISH: Final = _listed(
    """
a about above after again against all also am an and any are aren't as at be because been before being below between
both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during e.g each either etc few
for from further had hadn't has hasn't have haven't having he her here hers herself him himself his how however i i.e
i'd i'll i'm i've if in into is isn't it it'd it'll it's its itself just let let's many may me might more most much
must my myself neither no nor not of off often on once only onto or other our ours ourselves out over own please quite
rather really same shall she should shouldn't since so some such than that that's the their theirs them themselves
then there there's these they they're this those though through thus to too under until up upon us very via was wasn't
we we're we've were weren't what what's when where where's whether which while who whom whose why will with within
without won't would wouldn't yet you you're your yours yourself yourselves
"""
)

CHINESE: Final = _listed(
    """
的 了 着 过 是 不是 是不是 是否 被 把 将 吗 呢 吧 啊 呀 嘛 么 在 和 与 及 以及 或 或者 还是 从 对 对于 关于 有关 根据
按照 通过 为 为了 因为 所以 因此 由于 由 于 向 往 到 给 让 使 使得 也 都 就 还 又 再 很 更 最 非常 比较 只 只有 只要
但 但是 不过 然而 而 而且 并 并且 如果 要是 那么 那 那个 那些 那里 这 这个 这些 这里 这样 那样 其 其中 其他 其它 之
之间 之后 之前 以 以后 以前 我 我们 我的 你 你们 您 他 他们 她 她们 它 它们 自己 大家 咱们 谁 什么 什么样 什么时候
为什么 为何 何 何时 何处 怎么 怎么办 怎样 怎么样 如何 哪 哪个 哪些 哪里 哪儿 哪一个 哪种 哪几个 几 几个 多少 多久 多长
有
没有 有没有 有哪些 有什么 有多少 个 些 一个 一些 一下 一种 请 请问 请告诉我 告诉我 帮我 帮忙 麻烦 能 能否 能不能 可以
可不可以 会 会不会 要 需要 想 想要 应该 应当 可能 已 已经 正在 曾经 一直 所 所有 各 各个 每 每个 时 时候 的话 来 去 等
等等 里 里面 中 上 下 内 所谓 分别 都有 列出 说 说说 讲 讲讲
"""
)

CHINESE_WHOLE: Final = _listed(
    """
目的 了解 在线 存在 对象 面向对象 对比 对话 对应 对齐 对手 反对 相对 绝对 针对 应对 有效 有限 所有权 所有者 拥有 具有
含有 现有 原有 私有 公有 共有 专有 特有 所有制 将来 即将 将军 为止 行为 作为 成为 认为 以为 人为 和平 和谐 总和 共和
参与 给予 供给 由来 自由 理由 路由 缘由 经由 于是 等于 大于 小于 位于 属于 基于 用于 处于 低于 高于 向量 方向 向导
导向 指向 定向 转向 倾向 面向 向后 向前 向上 向下 到达 得到 达到 找到 直到 收到 到期 让步 转让 使用 使命 大使 都市
首都 成都 就业 成就 还原 归还 返还 再生 再次 更新 更改 变更 更换 最终 最大 最小 最新 最近 最优 最佳 最后 最初 最多
最少 只读 而言 并发 并行 合并 并列 并购 其实 尤其 之外 总之 以太 以色列 自我 我国 吉他 几何 几乎 个人 个体 个性 整个
逐个 有些 某些 能力 性能 功能 能源 能量 可能性 智能 技能 才能 只能 会议 社会 机会 学会 会话 会员 协会 委员会 会计 议会
国会 大会 工会 要求 要素 重要 主要 必要 摘要 概要 纪要 想法 思想 理想 已知 所得 所在 场所 研究所 各自 各种 各位 每天
每日 每年 每月 每次 时间 时代 同时 时区 时钟 实时 小时 及时 临时 当时 定时 超时 随时 延时 即时 时长 时刻 时期 时序
来源 本来 原来 未来 来自 从来 起来 出来 后来 带来 去除 去年 过去 失去 去重 等级 平等 相等 等待 等价 对等 高等 中等
不等 里程 公里 里程碑 中国 中文 中心 中间 中央 集中 中断 中止 中继 命中 空中 中级 中学 上海 上传 上升 上下文 上级 上线
网上 以上 晚上 上游 上市 上层 下载 下级 下降 下游 下划线 以下 地下 当下 下层 下周 上周 内部 内容 内存 内核 国内 内置
内联 内网 室内 内嵌 年内 过程 过滤 超过 经过 过期 过时 过载 是非 着色 着手 沿着 接着 着陆 把握 把手 被动 被告 吧台
呢喃 说明 说法 小说 传说 据说 学说 解说 讲座 讲话 演讲 讲述 与否 从事 服从 从属 从此 随从 及格 普及 涉及 不及
要点 与会
"""
)
"""Words that hold a function character but are not made of one: without them 目的 would be cut at 的."""

STOP_WORDS: Final = ENGLISH | CHINESE
"""Function words of both languages, lower case."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kbtui.text.decoding import decode, is_binary

ZH = "部署失败时，值班工程师应该先暂停发布，然后回滚到上一个镜像。\n回滚之后通知所有人。"
TW = "部署失敗時，值班工程師應該先暫停發布，然後回復到上一個映像檔。\n之後通知所有人。"
JA = "デプロイが失敗した場合は、まずリリースを停止してください。\nその後に通知します。"
KO = "배포가 실패하면 먼저 릴리스를 중지하고 이전 이미지로 롤백해야 합니다.\n그런 다음 모두에게 알립니다."
RU = "Развёртывание не удалось, дежурный инженер должен остановить релиз.\n"
FR = "Le déploiement a échoué, l'équipe a été prévenue à l'aube.\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (ZH, "utf-8"),
        (ZH, "utf-8-sig"),
        (ZH, "utf-16"),
        (ZH, "utf-16-le"),
        (ZH, "utf-16-be"),
        (ZH, "utf-32"),
        (ZH, "gbk"),
        (ZH, "gb18030"),
        ("# 标题 title\n\nSome English with 中文 in it.", "gbk"),
        (TW, "big5"),
        (JA, "shift_jis"),
        (JA, "euc_jp"),
        (KO, "euc_kr"),
        (RU, "cp1251"),
        (FR, "latin-1"),
        ("café", "latin-1"),
        ("It’s “quoted”.", "cp1252"),
        ("plain words", "utf-16-le"),
    ],
)
def test_text_is_read_in_the_encoding_it_was_written_in(text: str, encoding: str) -> None:
    data = text.encode(encoding)
    assert decode(data).text == text
    assert not is_binary(data)


def test_damaged_utf8_is_still_utf8() -> None:
    decoded = decode(ZH.encode() + b"\xff\nok")
    assert decoded.encoding == "utf-8"
    assert decoded.text == ZH + "\ufffd\nok"


@given(st.binary(max_size=300))
def test_any_bytes_become_text_with_one_kind_of_line_end(data: bytes) -> None:
    decoded = decode(data)
    assert "\r" not in decoded.text
    decoded.text.encode("utf-8")


@given(st.lists(st.sampled_from([b"\x81", b"a", "部".encode("gbk"), b"\xe9 ", b"\xff", "é".encode()])))
def test_no_line_end_is_lost_in_a_legacy_encoding(parts: list[bytes]) -> None:
    data = b"\n".join(parts)
    assert decode(data).text.count("\n") == data.count(b"\n")

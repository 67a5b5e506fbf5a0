/* The page as it grows: search over all questions, and a run step by step. Without it, all stands there at once. */
"use strict";
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const articles = [...document.querySelectorAll("article")];

/* Search: articles without one of the words go, places that hold one are marked. */
const form = document.querySelector("[role=search]");
const field = form.querySelector("input");
const count = form.querySelector("output");
let places = [], place = -1;
const holds = (text, words) => words.every((word) => text.includes(word));
function textNodes(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), found = [];
  while (walker.nextNode()) found.push(walker.currentNode);
  return found;
}
function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  places = []; place = -1;
  let left = 0;
  for (const article of articles) {
    const found = holds(article.textContent.toLowerCase(), words);
    article.hidden = !found;
    const entry = document.querySelector(`nav a[href="#${article.id}"]`);
    if (entry) entry.parentElement.hidden = !found;
    if (!found) continue;
    left += 1;
    if (words.length) for (const node of textNodes(article)) {
      const text = node.data.toLowerCase();
      if (text.length !== node.data.length) continue;
      for (const word of words) for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        const range = document.createRange();
        range.setStart(node, at); range.setEnd(node, at + word.length);
        places.push(range);
      }
    }
  }
  if (window.Highlight) CSS.highlights.set("found", new Highlight(...places));
  count.value = words.length ? fill(form.dataset.template, { places: places.length, left, articles: articles.length }) : "";
}
field.addEventListener("input", search);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!places.length) return;
  place = (place + 1) % places.length;
  const around = places[place].startContainer.parentElement;
  for (const outer of document.querySelectorAll("details")) if (outer.contains(around)) outer.open = true;
  around.scrollIntoView({ block: "center" });
});
form.hidden = false;

/* Step by step: what an event has not told yet is not seen. */
for (const article of articles) {
  const steps = article.querySelector(".steps");
  if (!steps) continue;
  const slider = steps.querySelector("input"), status = steps.querySelector("output");
  const times = steps.dataset.times.split(" "), names = steps.dataset.kinds.split(" ");
  const marks = [...steps.querySelectorAll("[data-to]")];
  const timed = [...article.querySelectorAll("[data-at]")];
  const show = (position) => {
    slider.value = position;
    for (const part of timed) part.classList.toggle("to-come", Number(part.dataset.at) > position);
    for (const mark of marks) mark.classList.toggle("passed", Number(mark.dataset.to) <= position);
    status.value = fill(steps.dataset.template, { position, count: slider.max }) + (position ? ` · ${names[position - 1].replaceAll("_", " ")} · ${times[position - 1]} s` : "");
  };
  const by = (step) => show(Math.max(0, Math.min(Number(slider.max), Number(slider.value) + step)));
  slider.addEventListener("input", () => show(Number(slider.value)));
  steps.querySelector(".back").addEventListener("click", () => by(-1));
  steps.querySelector(".on").addEventListener("click", () => by(1));
  for (const mark of marks) mark.addEventListener("click", () => show(Number(mark.dataset.to)));
  show(Number(slider.max));
  steps.hidden = false;
}

"use strict";
// Every text is put in with textContent: what people compare is never read as HTML.
const $ = (id) => document.getElementById(id);
const MEANINGS = [
  "on different topics", "on the same topic, saying different things", "different, with details in common",
  "roughly the same, something important differs", "nearly the same, small details differ", "the same in meaning",
];
const FLAGS = {
  empty: "A text has no words. Beside another text, the score is the lowest by rule.",
  identical: "The texts are the same except for white space and the encoding of characters: the score is the highest by rule.",
  long: "A text is longer than those that the model learnt from; be careful with the score.",
  accents: "The texts differ in accents alone: they may be two words.",
  markup: "A text has tags or entities of HTML, which are read as words.",
  mojibake: "A text has characters that were read in a wrong encoding.",
  truncated: "A text is too long, and only its beginning was read.",
  non_english: "A text does not look English, the only language of the model.",
  unknown_words: "Half of the content words of a text are unknown: do not rely on the score.",
  cross_lingual: "The texts are in two languages.",
  translated: "Texts were translated into English, and the translations compared.",
  unknown_language: "A text is in none of the named languages, and was read as English: do not rely on the score.",
  unmeasured_language: "A text is in a language in which the model was not measured: be careful with the score.",
};
// Title and meaning of each family of features and of each member, by its name.
const NAMES = JSON.parse($("part-names").textContent);
const MOST_ROWS = 12;
let scale = { scale: "0..5", lowest: 0, highest: 5 };
let digits = 2;
let links = [];
let words = [[], []];
let asked = null;
let learned = null;
let laidOut = null;

function make(tag, text, ...classes) {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  element.classList.add(...classes);
  return element;
}

function shown(x) {
  return x.toFixed(digits);
}

function signed(x) {
  const size = shown(Math.abs(x));
  return (x < 0 && Number(size) ? "\u2212" : "+") + size;
}

function place(x) {
  return 100 * (x - scale.lowest) / (scale.highest - scale.lowest);
}

function learn() {
  // Asked again by the next comparison if the service was not ready.
  learned ??= answer("health").then((found) => {
    $("signature").textContent = found.signature;
    setScale(found);
  }).catch(() => { learned = null; });
  return learned;
}

function setScale(found) {
  const { lowest, highest } = scale = found;
  const binary = scale.scale === "yes/no";
  // As many decimals as `Scale.digits` of the program has.
  const magnitude = Math.log10(highest - lowest);
  digits = Math.max(2 - Math.max(Math.ceil(magnitude) - 1, 0) + Math.max(Math.ceil(-magnitude), 0), 0);
  const ends = binary ? "from 0 to 1" : `from ${lowest} (unrelated) to ${highest} (the same)`;
  $("about").textContent = binary
    ? `The probability that two sentences match in meaning, ${ends}.` : `How similar two sentences are in meaning, ${ends}.`;
  $("score-title").textContent = binary ? "Probability" : "Score";
  $("whole").textContent = binary ? "" : lowest === 0 ? `of ${highest}` : `on ${scale.scale}`;
  const steps = Number.isInteger(highest - lowest) && highest - lowest <= 10 && highest - lowest > 1 ? highest - lowest : 5;
  $("ticks").replaceChildren(...Array.from({ length: steps + 1 }, (_, k) =>
    make("span", String(Number((lowest + k * (highest - lowest) / steps).toPrecision(6))))));
}

function showScore({ score, low, high, flags }) {
  $("score").textContent = shown(score);
  $("meaning").textContent = scale.scale === "yes/no"
    ? (score >= 0.5 ? "more likely yes than no" : "more likely no than yes") : MEANINGS[Math.round(place(score) / 20)];
  $("interval").textContent = `Likely between ${shown(low)} and ${shown(high)} (the shaded part).`;
  $("scale").setAttribute("aria-label",
    `${shown(score)} on a scale from ${scale.lowest} to ${scale.highest}, with an interval from ${shown(low)} to ${shown(high)}`);
  $("band").style.left = `${place(low)}%`;
  $("band").style.width = `${place(high) - place(low)}%`;
  $("mark").style.left = `${place(score)}%`;
  $("flags").hidden = !flags.length;
  $("flags").replaceChildren(...flags.map((flag) => {
    const item = make("li");
    item.append(make("code", flag), FLAGS[flag] || "");
    return item;
  }));
}

function row(name, value, text, most, kind) {
  const line = make("tr", undefined, kind);
  const head = make("th", name);
  head.scope = "row";
  const cell = make("td", undefined, "bar");
  if (most) {
    const lane = make("div", undefined, "lane");
    const bar = make("div", undefined, value < 0 ? "down" : "up");
    bar.style.width = `${50 * Math.abs(value) / most}%`;
    lane.append(bar);
    cell.append(lane);
  }
  line.append(head, cell, make("td", text, "value"));
  return line;
}

function meaningRow(text) {
  const line = make("tr", undefined, "meaning");
  const cell = make("td", text);
  cell.colSpan = 3;
  line.append(cell);
  return line;
}

function showWhy({ score, base, contributions, note }) {
  const known = contributions !== null;
  $("why").hidden = !known;
  $("note").textContent = known
    ? "The score is the base plus all rows. Numbers are rounded."
    : `Of this model only the score is known: ${note}.`;
  if (!known) return;
  const parts = Object.entries(contributions).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  const small = 0.5 / 10 ** digits;
  const large = parts.filter(([, value]) => Math.abs(value) >= small).slice(0, MOST_ROWS);
  const rest = parts.slice(large.length);
  const sum = rest.reduce((total, [, value]) => total + value, 0);
  const most = Math.max(small, Math.abs(sum), ...large.map(([, value]) => Math.abs(value)));
  const rows = large.flatMap(([name, value]) => {
    const [title, meaning] = Object.hasOwn(NAMES, name) ? NAMES[name] : [name.replaceAll("_", " "), ""];
    return [row(title, value, signed(value), most, "part"), ...(meaning ? [meaningRow(`${name}: ${meaning}`)] : [])];
  });
  const together = rest.length > 1 ? `${rest.length} smaller ones together` : "1 smaller one";
  if (rest.length) rows.push(row(together, sum, signed(sum), most, "part"));
  $("rows").replaceChildren(
    row("base", base, shown(base), 0, "total"), ...rows, row($("score-title").textContent.toLowerCase(), score, shown(score), 0, "total"));
}

function partners(side, place) {
  return links.filter((link) => link.ends[side] === place).map((link) => words[1 - side][link.ends[1 - side]].text);
}

function showTranslations({ translations }) {
  const sides = ["First sentence", "Second sentence"];
  const found = sides.map((side, k) => translations[k] && `${side}: ${translations[k]}`).filter(Boolean);
  $("translated").hidden = !found.length;
  $("translations").replaceChildren(...found.map((text) => make("li", text)));
}

function showWords({ tokens, alignment }) {
  links = alignment.map((ends) => ({ ends, path: document.createElementNS("http://www.w3.org/2000/svg", "path") }));
  words = tokens.map((side) => side.map((text) => ({ text, box: make("button", text, "word") })));
  words.forEach((side, k) => side.forEach(({ text, box }, place) => {
    const found = partners(k, place);
    box.type = "button";
    box.tabIndex = place ? -1 : 0;
    box.classList.toggle("alone", !found.length);
    box.setAttribute("aria-label", found.length ? `${text}, matches ${found.join(" and ")}` : `${text}, no partner`);
    const look = () => light(links.filter((link) => link.ends[k] === place));
    box.addEventListener("pointerenter", look);
    box.addEventListener("pointerleave", () => light([]));
    box.addEventListener("click", look);
    box.addEventListener("focus", look);
    box.addEventListener("blur", () => light([]));
    box.addEventListener("keydown", (event) => walk(event, side, place));
  }));
  for (const link of links) {
    link.path.addEventListener("pointerenter", () => light([link]));
    link.path.addEventListener("pointerleave", () => light([]));
  }
  $("links").replaceChildren(...links.map((link) => link.path));
  ["words-first", "words-second"].forEach((id, k) => {
    // A blank between the boxes, so that lines break and a copied sentence reads as one.
    $(id).replaceChildren(...words[k].flatMap(({ box }) => [box, " "]));
    if (!words[k].length) $(id).append(make("span", "(no words)", "quiet"));
  });
  light([]);
  laidOut = null;
  layOut();
}

function showDifferences({ differences }) {
  $("differing").hidden = !differences.length;
  $("differences").replaceChildren(...differences.map(({ kind, a, b }) => {
    const line = make("tr");
    const head = make("th", kind);
    head.scope = "row";
    const cells = [a, b].map((text) => text ? make("td", text) : make("td", "(nothing)", "quiet"));
    for (const cell of cells) cell.dir = "auto";
    line.append(head, ...cells);
    return line;
  }));
}

function walk(event, side, place) {
  const steps = { ArrowRight: place + 1, ArrowDown: place + 1, ArrowLeft: place - 1, ArrowUp: place - 1, Home: 0, End: side.length - 1 };
  const next = side[steps[event.key]];
  if (!next) return;
  event.preventDefault();
  side[place].box.tabIndex = -1;
  next.box.tabIndex = 0;
  next.box.focus();
}

function light(chosen) {
  $("alignment").classList.toggle("looking", chosen.length > 0);
  for (const side of words) for (const { box } of side) box.classList.remove("lit");
  for (const link of links) {
    const on = chosen.includes(link);
    link.path.classList.toggle("lit", on);
    if (on) link.ends.forEach((place, k) => words[k][place].box.classList.add("lit"));
  }
  $("link").textContent = chosen
    .map((link) => link.ends.map((place, k) => words[k][place].text).join(" \u2194 ")).join(", ");
}

function layOut() {
  // In two lines of text if each sentence fits on one, otherwise in two columns; the width alone decides.
  const width = $("alignment").parentElement.clientWidth;
  if (width !== laidOut) {
    laidOut = width;
    $("alignment").classList.remove("columns");
    const wraps = words.some((side) => side.length && lower(side.at(-1).box, side[0].box));
    $("alignment").classList.toggle("columns", wraps);
  }
  draw();
}

function lower(box, other) {
  return box.offsetHeight > 0 && box.getBoundingClientRect().bottom - other.getBoundingClientRect().bottom > 1;
}

function draw() {
  const frame = $("alignment").getBoundingClientRect();
  const columns = $("alignment").classList.contains("columns");
  for (const { ends: [i, j], path } of links) {
    const a = words[0][i].box.getBoundingClientRect();
    const b = words[1][j].box.getBoundingClientRect();
    if (columns) {
      const [x, y] = [a.right - frame.left, a.top + a.height / 2 - frame.top];
      const [u, v] = [b.left - frame.left, b.top + b.height / 2 - frame.top];
      const bend = (u - x) / 2;
      path.setAttribute("d", `M${x} ${y} C${x + bend} ${y} ${u - bend} ${v} ${u} ${v}`);
    } else {
      const [x, y] = [a.left + a.width / 2 - frame.left, a.bottom - frame.top];
      const [u, v] = [b.left + b.width / 2 - frame.left, b.top - frame.top];
      const bend = (v - y) / 2;
      path.setAttribute("d", `M${x} ${y} C${x} ${y + bend} ${u} ${v - bend} ${u} ${v}`);
    }
  }
}

function fail(message) {
  $("error").textContent = message;
  $("error").hidden = false;
  $("result").hidden = true;
  $("status").textContent = "";
}

async function answer(path, options) {
  // The key is kept in its field alone, and is gone with the page.
  const key = $("key").value.trim();
  const headers = { ...options?.headers, ...(key && { Authorization: `Bearer ${key}` }) };
  const response = await fetch(path, { ...options, headers }).catch((error) => {
    throw error.name === "AbortError" ? error : new Error("The service does not answer; is it still running?");
  });
  const found = await response.json().catch(() => ({}));
  if (response.status === 401) {
    $("key-field").hidden = false;
    $("key").focus();
    throw new Error(key ? "The service does not know this key; correct it." : "The service asks for a key; enter one and compare again.");
  }
  if (!response.ok) throw new Error(found.error || `the service answered with status ${response.status}`);
  return found;
}

async function compare(event) {
  event?.preventDefault();
  asked?.abort();
  const mine = asked = new AbortController();
  $("status").textContent = "Comparing";
  $("send").textContent = "Comparing\u2026";
  $("form").setAttribute("aria-busy", "true");
  try {
    const found = await answer("explain", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ sentence1: $("first").value, sentence2: $("second").value }),
      signal: mine.signal,
    });
    await learn();
    $("error").hidden = true;
    $("result").hidden = false;
    showScore(found);
    showWhy(found);
    showTranslations(found);
    showWords(found);
    showDifferences(found);
    $("signature").textContent = found.signature;
    $("status").textContent = `${$("scale").getAttribute("aria-label")}: ${$("meaning").textContent}.`;
  } catch (error) {
    if (error.name !== "AbortError") fail(error.message);
  } finally {
    if (asked === mine) {
      $("send").textContent = "Compare";
      $("form").removeAttribute("aria-busy");
    }
  }
}

$("form").addEventListener("submit", compare);
for (const id of ["first", "second"]) {
  $(id).addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) compare(event);
  });
}
new ResizeObserver(layOut).observe($("alignment"));
learn();

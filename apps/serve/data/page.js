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
const asked = {};
let learned = null;
let laidOut = null;
let marks = [0, 1, 2, 3, 4, 5];

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
  marks = Array.from({ length: steps + 1 }, (_, k) => Number((lowest + k * (highest - lowest) / steps).toPrecision(6)));
  $("search").hidden = !found.index;
  if (found.index) $("index-hint").textContent = `The index has ${found.index.rows.toLocaleString("en")} rows.`;
}

function ticks(at) {
  return marks.map((mark) => {
    const tick = make("span", String(mark));
    tick.style.left = `${at(mark)}%`;
    return tick;
  });
}

function grid(at) {
  return marks.map((mark) => {
    const line = make("i", undefined, "grid");
    line.style.left = `${at(mark)}%`;
    return line;
  });
}

function drawScale(box, { score, low, high }) {
  box.setAttribute("role", "img");
  box.setAttribute("aria-label",
    `${shown(score)} on a scale from ${scale.lowest} to ${scale.highest}, with an interval from ${shown(low)} to ${shown(high)}`);
  const track = make("div", undefined, "track");
  const band = make("div", undefined, "band");
  const mark = make("div", undefined, "mark");
  band.style.left = `${place(low)}%`;
  band.style.width = `${place(high) - place(low)}%`;
  mark.style.left = `${place(score)}%`;
  track.append(...grid(place), band, mark);
  const axis = make("div", undefined, "ticks");
  axis.append(...ticks(place));
  box.replaceChildren(track, axis);
}

function showScore({ score, low, high, flags }) {
  $("score").textContent = shown(score);
  $("meaning").textContent = scale.scale === "yes/no"
    ? (score >= 0.5 ? "more likely yes than no" : "more likely no than yes") : MEANINGS[Math.round(place(score) / 20)];
  $("interval").textContent = `Likely between ${shown(low)} and ${shown(high)} (the shaded part).`;
  drawScale($("scale"), { score, low, high });
  $("flags").hidden = !flags.length;
  $("flags").replaceChildren(...flags.map((flag) => {
    const item = make("li");
    item.append(make("code", flag), FLAGS[flag] || "");
    return item;
  }));
}

function row(name, text, kind, bar) {
  const line = make("tr", undefined, kind);
  const head = make("th", name);
  head.scope = "row";
  const cell = make("td", undefined, "bar");
  cell.append(bar);
  line.append(head, cell, make("td", text, "value"));
  return line;
}

function lane(start, end, at, kind) {
  const box = make("div", undefined, "lane");
  const bar = make("div", undefined, kind);
  bar.style.left = `${Math.min(at(start), at(end))}%`;
  bar.style.width = `${Math.abs(at(end) - at(start))}%`;
  box.append(...grid(at), bar);
  return box;
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
    ? "The score is the base plus all rows. Each bar begins where the one above ends; hatched bars lower the score. Numbers are rounded."
    : `Of this model only the score is known: ${note}.`;
  if (!known) return;
  const parts = Object.entries(contributions).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  const small = 0.5 / 10 ** digits;
  const large = parts.filter(([, value]) => Math.abs(value) >= small).slice(0, MOST_ROWS);
  const rest = parts.slice(large.length);
  const sum = rest.reduce((total, [, value]) => total + value, 0);
  if (rest.length) large.push([rest.length > 1 ? `${rest.length} smaller ones together` : "1 smaller one", sum]);
  // The axis is the scale, and longer where the bars leave it.
  const sums = large.reduce((all, [, value]) => [...all, all.at(-1) + value], [base]);
  const [low, high] = [Math.min(scale.lowest, ...sums), Math.max(scale.highest, ...sums)];
  const at = (x) => 100 * (x - low) / (high - low);
  const rows = large.flatMap(([name, value], k) => {
    const [title, meaning] = Object.hasOwn(NAMES, name) ? NAMES[name] : [name.replaceAll("_", " "), ""];
    const bar = lane(sums[k], sums[k + 1], at, value < 0 ? "down" : "up");
    return [row(title, signed(value), "part", bar), ...(meaning ? [meaningRow(`${name}: ${meaning}`)] : [])];
  });
  const whole = (name, value) => row(name, shown(value), "total", lane(scale.lowest, value, at, "sum"));
  $("axis").replaceChildren(...ticks(at));
  $("rows").replaceChildren(whole("base", base), ...rows, whole($("score-title").textContent.toLowerCase(), score));
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
  const kinds = words.map((side) => new Set(side.map(({ text }) => text.toLowerCase())));
  words.forEach((side, k) => side.forEach(({ text, box }, place) => {
    const found = partners(k, place);
    const equal = !found.length && kinds[1 - k].has(text.toLowerCase());
    const about = equal ? `${text}, also in the other sentence` : `${text}, no partner`;
    box.type = "button";
    box.tabIndex = place ? -1 : 0;
    box.classList.toggle("alone", !found.length && !equal);
    box.setAttribute("aria-label", found.length ? `${text}, matches ${found.join(" and ")}` : about);
    const look = () => light(links.filter((link) => link.ends[k] === place), found.length ? "" : about);
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

function differenceRows(differences) {
  return differences.map(({ kind, a, b }) => {
    const line = make("tr");
    const head = make("th", kind);
    head.scope = "row";
    const cells = [a, b].map((text) => text ? make("td", text) : make("td", "(nothing)", "quiet"));
    for (const cell of cells) cell.dir = "auto";
    line.append(head, ...cells);
    return line;
  });
}

function showDifferences({ differences }) {
  $("differing").hidden = !differences.length;
  $("differences").replaceChildren(...differenceRows(differences));
}

function showMatches({ results: [{ matches }] }) {
  $("matches").hidden = false;
  $("matches-title").textContent = matches.length ? "The closest rows, the best first" : "No row is close.";
  $("found").replaceChildren(...matches.map((match) => {
    const item = make("li");
    const text = make("p", match.text, "text");
    text.dir = "auto";
    const name = match.id === null ? `row ${match.row}` : `row ${match.row}, ${match.id}`;
    const box = make("div", undefined, "scale");
    drawScale(box, match);
    item.append(text, make("p", `${shown(match.score)}, ${name}`, "quiet"), box);
    if (match.differences.length) {
      const table = make("table");
      const [head, line, body] = [make("thead"), make("tr"), make("tbody")];
      line.append(...["Kind", "Question", "Row"].map((title) => {
        const cell = make("th", title);
        cell.scope = "col";
        return cell;
      }));
      head.append(line);
      body.append(...differenceRows(match.differences));
      table.append(head, body);
      item.append(table);
    }
    return item;
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

function light(chosen, otherwise = "") {
  $("alignment").classList.toggle("looking", chosen.length > 0);
  for (const side of words) for (const { box } of side) box.classList.remove("lit");
  for (const link of links) {
    const on = chosen.includes(link);
    link.path.classList.toggle("lit", on);
    if (on) link.ends.forEach((place, k) => words[k][place].box.classList.add("lit"));
  }
  $("link").textContent = chosen
    .map((link) => link.ends.map((place, k) => words[k][place].text).join(" \u2194 ")).join(", ") || otherwise;
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

async function ask(event, form, button, path, body, show) {
  event?.preventDefault();
  asked[path]?.abort();
  const mine = asked[path] = new AbortController();
  const word = button.dataset.word ??= button.textContent;
  $("status").textContent = button.textContent = `${word === "Find" ? "Finding" : "Comparing"}\u2026`;
  form.setAttribute("aria-busy", "true");
  try {
    const options = { method: "POST", headers: { "Content-Type": "application/json" }, signal: mine.signal };
    const found = await answer(path, { ...options, body: JSON.stringify(body) });
    await learn();
    $("error").hidden = true;
    show(found);
  } catch (error) {
    if (error.name !== "AbortError") fail(error.message);
  } finally {
    if (asked[path] === mine) {
      button.textContent = word;
      form.removeAttribute("aria-busy");
    }
  }
}

function compare(event) {
  return ask(event, $("form"), $("send"), "explain", { sentence1: $("first").value, sentence2: $("second").value }, (found) => {
    $("result").hidden = false;
    showScore(found);
    showWhy(found);
    showTranslations(found);
    showWords(found);
    showDifferences(found);
    $("signature").textContent = found.signature;
    $("status").textContent = `${$("scale").getAttribute("aria-label")}: ${$("meaning").textContent}.`;
  });
}

function find(event) {
  return ask(event, $("search"), $("find"), "match", { texts: [$("question").value], top: 5, differences: true }, (found) => {
    showMatches(found);
    $("status").textContent = `${found.results[0].matches.length} rows found.`;
  });
}

$("form").addEventListener("submit", compare);
$("search").addEventListener("submit", find);
for (const [id, act] of [["first", compare], ["second", compare], ["question", find]]) {
  $(id).addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) act(event);
  });
}
for (const button of $("examples").querySelectorAll("button")) {
  button.addEventListener("click", () => {
    $("first").value = button.dataset.first;
    $("second").value = button.dataset.second;
    compare();
  });
}
new ResizeObserver(layOut).observe($("alignment"));
learn();

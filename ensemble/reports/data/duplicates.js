"use strict";
// The page reads without this. It shows a box for each pair, and writes those that are ticked to a file.
const HEADER = ["row1", "id1", "row2", "id2", "sentence1", "sentence2", "score", "reason"];
const boxes = [...document.querySelectorAll(".choose")];
const button = document.getElementById("download");
const cell = (text) => `"${text.replaceAll('"', '""')}"`;

function count() {
  const ticked = boxes.filter((box) => box.checked).length;
  button.disabled = ticked === 0;
  button.nextElementSibling.textContent = ticked === 1 ? "1 pair is ticked." : `${ticked} pairs are ticked.`;
}

function download() {
  const pairs = boxes.filter((box) => box.checked).map((box) => JSON.parse(box.value));
  const lines = [HEADER, ...pairs].map((pair) => `${pair.map(cell).join(",")}\r\n`);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(lines, { type: "text/csv" }));
  link.download = button.dataset.file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

if (button) {
  for (const box of boxes) {
    box.hidden = false;
    box.addEventListener("change", count);
  }
  button.parentElement.hidden = false;
  button.addEventListener("click", download);
  count();
}

"""A translation memory: the stored sentence that means the same as a new one, but never one with other numbers."""

import samewise

MEMORY = {
    "Press the green button to start the machine.": "Pulse el botón verde para poner en marcha la máquina.",
    "Wait 30 seconds before you open the door.": "Espere 30 segundos antes de abrir la puerta.",
    "Do not use the machine outdoors.": "No utilice la máquina al aire libre.",
}
NEW = [
    "To start the machine, press the green button.",
    "Wait 60 seconds before you open the door.",
    "Clean the filter once a month.",
]

model = samewise.load("full")
found = samewise.match(NEW, list(MEMORY), model=model, top=1, probability_of=2)
best = {row["sentence1"]: row for row in found.to_pylist()}
for sentence in NEW:
    if sentence not in best:
        print(f"translate  {sentence}")
        continue
    stored = best[sentence]["sentence2"]
    differences = model.differences([(sentence, stored)])[0]
    changed = [f"{each.a} for {each.b}" for each in differences if each.kind == "number"]
    print(f"{'correct' if changed else 'reuse':9}  {sentence}")
    print(f"{'':9}  {MEMORY[stored]}" + (f" ({', '.join(changed)})" if changed else ""))

"""Answers of students: grade by similarity to a model answer, on the teacher's own scale, and show what differs."""

import numpy as np
from samewise.ensemble.core.adapted_model import adapt
from samewise.ensemble.core.scale import Scale

import samewise

# Answers to earlier questions, beside the model answer, graded by the teacher from 0 to 3 points.
GRADED = [
    ("Ice floats because it is less dense than water.", "Ice is lighter than the same amount of water.", 3),
    ("Ice floats because it is less dense than water.", "Ice is cold.", 0),
    ("Bees carry pollen from flower to flower.", "Bees bring pollen to other flowers.", 3),
    ("Bees carry pollen from flower to flower.", "Bees like flowers.", 1),
    ("Sound needs air or another medium to travel.", "Sound cannot travel without a medium such as air.", 3),
    ("Sound needs air or another medium to travel.", "Sound is very fast.", 0),
    ("The moon reflects the light of the sun.", "Moonlight is sunlight that the moon reflects.", 3),
    ("The moon reflects the light of the sun.", "The moon shines because of the sun.", 2),
    ("Iron rusts when it meets water and air.", "Rust forms on iron in contact with air and water.", 3),
    ("Iron rusts when it meets water and air.", "Iron is used for bridges.", 0),
    ("Roots take water and minerals from the soil.", "Roots take up water from the ground.", 2),
    ("Roots take water and minerals from the soil.", "Roots make sugar from light.", 0),
]
# Asked now: why do leaves fall in autumn?
EXPECTED = "Trees drop their leaves in autumn to lose less water in winter."
ANSWERS = [
    "The tree sheds its leaves to lose less water in the winter.",
    "The tree does not lose less water in winter without its leaves.",
    "Because it is cold and windy.",
]

model = samewise.load("full")
texts = [(expected, answer) for expected, answer, _ in GRADED]
adapted, _ = adapt(model, texts, np.asarray([points for *_, points in GRADED]), Scale(0.0, 3.0))
answers = [(EXPECTED, answer) for answer in ANSWERS]
prediction = adapted.predict_pairs(answers)
for answer, points, low, high, differences in zip(
    ANSWERS, prediction.score, prediction.low, prediction.high, adapted.differences(answers), strict=True
):
    kinds = sorted({difference.kind for difference in differences} & {"negation", "number", "antonym", "role"})
    remark = f"; look at: {', '.join(kinds)}" if kinds else ""
    print(f"{points:.1f} of 3 ({low:.1f} to {high:.1f}{remark})  {answer}")

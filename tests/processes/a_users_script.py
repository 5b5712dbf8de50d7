import numpy as np

import samewise

pairs = [("A dog runs.", "A dog is running."), ("A chef cooks rice.", "The train is late.")]
texts = ["The lift is out of order.", "The lift is out of order again.", "Who repairs the blinds?"]
model = samewise.load("surface")
one: float = samewise.score(*pairs[0], model=model)
scores, low, high = model.predict(pairs, return_interval=True)
inside: np.ndarray = (low <= scores) & (scores <= high)
prediction = model.predict_pairs(pairs)
print(one, inside.all(), prediction.flags, model.explain(pairs)[0].contributions)
found = samewise.dedupe(texts, model=model, same_from=3.5)
print(found.kept.tolist(), found.rethreshold(4).review.num_rows)
index = samewise.Index.build(texts, ids=["a", "b", "c"])
index.save("index")
matches = samewise.match(["Who can repair the blinds?"], samewise.Index.open("index"), model=model, top=1)
print(matches.column("sentence2").to_pylist())
print(samewise.evaluate([4.5, 0.5], scores).pearson, samewise.evaluate([True, False], scores, same_from=4).auc)
classifier = samewise.SimilarityClassifier(samewise.SimilarityEnsemble("surface", members=["gbm"]))
print(classifier.fit(pairs, ["yes", "no"]).predict_proba(pairs))
print(samewise.score_table([{"sentence1": "A dog runs.", "sentence2": "A cat runs."}], model="surface"))

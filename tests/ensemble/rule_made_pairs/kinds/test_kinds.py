import pytest

from ..edits import edits


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("antonym", "The old bridge is expensive.", "The old bridge is cheap."),
        ("antonym", "They support the plan.", "They oppose the plan."),
        ("co_hyponym", "She played the violin on Monday.", "She played the violin on Friday."),
        ("co_hyponym", "She ate an apple.", "She ate a banana."),
        ("number", "The train leaves at 5:30 today.", "The train leaves at 6:30 today."),
        ("number", "We ordered 12 chairs.", "We ordered 13 chairs."),
        ("number", "He kept one dog.", "He kept three dogs."),
        ("unit", "Take 500 mg at night.", "Take 500 g at night."),
        ("unit", "The trip takes 3 hours.", "The trip takes 3 days."),
        ("name", "Mary moved to Paris.", "Mary moved to Rome."),
        ("quantifier", "All students passed the exam.", "Some students passed the exam."),
        ("quantifier", "She always pays in cash.", "She never pays in cash."),
        ("modality", "You must wear a helmet.", "You may wear a helmet."),
        ("modality", "Attendance is mandatory.", "Attendance is optional."),
        ("time_order", "She washed it and then painted the fence.", "She painted the fence and then washed it."),
        ("time_order", "Lock the door before lunch.", "Lock the door after lunch."),
        ("intent", "I want to cancel my order.", "I want to renew my order."),
        ("intent", "She turned on the lamp.", "She turned off the lamp."),
        ("condition", "If it rains, we stay at home.", "We stay at home."),
        ("condition", "We leave because the shop is closed.", "We leave although the shop is closed."),
        ("negation", "She reads it daily.", "She does not read it daily."),
        ("negation", "The guests didn't like some of it.", "The guests liked some of it."),
        ("negation", "She can't find any keys.", "She can find some keys."),
        ("negation", "He has bought some bread.", "He has not bought any bread."),
        ("roles", "I blocked the seller.", "The seller blocked me."),
        ("roles", "The nurses visit the king.", "The king visits the nurses."),
        ("roles", "A dog is chased by a cat.", "A cat is chased by a dog."),
        ("roles", "The bus goes from London to Paris.", "The bus goes from Paris to London."),
        ("passive", "The cook burned the soup.", "The soup was burned by the cook."),
        ("passive", "The letter was written by her.", "She wrote the letter."),
        ("passive", "A boy is eating an apple.", "An apple is being eaten by a boy."),
        ("converse", "Tom sold a car to Mary.", "Mary bought a car from Tom."),
        ("converse", "The shed is taller than the fence.", "The fence is shorter than the shed."),
        ("converse", "Ann owns the boat.", "The boat belongs to Ann."),
        ("number_words", "We saw 3 owls.", "We saw three owls."),
        ("number_words", "He bought a dozen eggs.", "He bought twelve eggs."),
        ("unit_conversion", "The film lasts 2 hours.", "The film lasts 120 minutes."),
        ("unit_conversion", "Return it within a week.", "Return it within seven days."),
        ("abbreviation", "About 40% of them voted.", "About 40 percent of them voted."),
        ("contraction", "I do not know.", "I don't know."),
        ("contraction", "They won't come.", "They will not come."),
        ("moved_phrase", "I stayed at home because I was ill.", "Because I was ill, I stayed at home."),
        ("moved_phrase", "When it rains, we stay at home.", "We stay at home when it rains."),
        ("moved_phrase", "We left yesterday.", "Yesterday, we left."),
        ("clause_order", "He left before she came.", "She came after he left."),
        ("double_negation", "The shop is closed.", "The shop is not open."),
        ("double_negation", "It is not legal.", "It is illegal."),
        ("synonym", "She bought a bicycle.", "She purchased a bicycle."),
        ("equal_phrase", "Can you close the window?", "Please close the window."),
        ("equal_phrase", "We stopped because of the rain.", "We stopped due to the rain."),
        ("equal_phrase", "She must go.", "She has to go."),
        ("equal_phrase", "They must go.", "They have to go."),
    ],
)  # fmt: skip
def test_an_edit_by_hand(kind, text, expected):
    assert expected in edits(kind, text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("passive", "The film lasts two hours."),
        ("passive", "He hurt himself."),
        ("passive", "Does she like it?"),
        ("roles", "The man is a doctor."),
        ("roles", "Rain falls."),
        ("number", "It is raining."),
        ("unit", "The weeks passed."),
        ("unit_conversion", "He swims once a week."),
        ("name", "The cat sleeps."),
        ("contraction", "Why don't you sing?"),
        ("moved_phrase", "Is he here today?"),
        ("clause_order", "She came after lunch."),
        ("double_negation", "It is an open question."),
        ("converse", "It gives me pleasure."),
        ("negation", "Is he here?"),
    ],
)
def test_an_edit_that_does_not_apply(kind, text):
    assert edits(kind, text) == {None}

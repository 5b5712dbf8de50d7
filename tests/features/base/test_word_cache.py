from samewise.features.base.caches import cached_by_word


def test_ordinary_words_are_computed_once_and_long_ones_each_time():
    seen = []

    @cached_by_word(100)
    def length(word, more=0):
        seen.append(word)
        return len(word) + more

    long = "x" * 31
    assert [length("word"), length("word"), length("word", 1), length(long), length(long)] == [4, 4, 5, 31, 31]
    assert seen == ["word", "word", long, long]


def test_the_number_of_words_is_bounded():
    seen = []

    @cached_by_word(2)
    def same(word):
        seen.append(word)
        return word

    for word in ("one", "two", "three", "one"):
        same(word)
    assert seen == ["one", "two", "three", "one"]

"""The methods of the plugin; run by `npm run test:full` with the example."""

import urllib.request

import pytest


def test_refuses_what_is_misspelt(parley):
    with pytest.raises(TypeError, match="opration"):
        parley.fail_next(opration="send-message", status=500)
    for wrong in ({"operation": "send-mesage", "status": 500}, {"code": "TOMORROW"}, {"status": 503, "retry_after": 3}):
        with pytest.raises(ValueError, match="operation|code|retry_after"):
            parley.fail_next(**wrong)
    parley.advance(60_000)
    parley.limit_rates(10)
    assert parley.requests() == []


def test_leaves_out_mistakes(parley, parley_user):
    key = parley_user("Ada")["api_key"]
    with pytest.raises(OSError):
        urllib.request.urlopen(f"{parley.url}/api/v1/users/me?api_key={key}")
    assert [one["rule"] for one in parley.mistakes()] == ["key-in-url"]
    with pytest.raises(AssertionError, match="key-in-url"):
        parley.expect_no_mistakes()
    parley.expect_no_mistakes(except_=["key-in-url"])

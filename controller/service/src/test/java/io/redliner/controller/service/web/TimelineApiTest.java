// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the view of a run is drawn from. */
class TimelineApiTest {

    private final Scene scene = Scene.shared();

    private Answer get(String id, String what) {
        return scene.client().get("/api/v1/runs/" + id + what);
    }

    @Test
    void a_timeline_comes_in_columns_whole_or_in_as_few_points_as_wanted() {
        String id = scene.finishedRun();
        JsonNode windows = get(id, "/windows?limit=10000").json().get("items");

        JsonNode whole = get(id, "/timeline").json();

        assertThat(whole.get("windows").asInt()).isEqualTo(windows.size());
        assertThat(whole.get("latencyRule").get("name").asString()).isEqualTo("latency");
        JsonNode values = whole.get("values");
        for (String name : values.propertyNames()) {
            assertThat(values.get(name).size()).as(name).isEqualTo(whole.get("start").size());
        }
        assertThat(whole.get("gauges").get(0).get("name").asString()).isEqualTo("cpu");
        assertThat(whole.get("gauges").get(0).get("values").size()).isEqualTo(whole.get("start").size());
        assertThat(whole.get("newestSequence").asLong()).isEqualTo(windows.get(windows.size() - 1).get("sequence")
                .asLong());

        JsonNode few = get(id, "/timeline?points=5").json();
        assertThat(few.get("start").size()).isBetween(1, 5);
        assertThat(few.get("windows")).isEqualTo(whole.get("windows"));
        assertThat(largest(few.get("values").get("requestsPerSecondMax")))
                .isEqualTo(largest(values.get("requestsPerSecondMax")));

        String middle = windows.get(windows.size() / 2).get("startedAt").asString();
        JsonNode first = get(id, "/timeline?to=" + middle).json();
        JsonNode second = get(id, "/timeline?from=" + middle).json();
        assertThat(first.get("windows").asInt() + second.get("windows").asInt()).isEqualTo(windows.size());
        assertThat(first.get("lastWindowAt")).isEqualTo(whole.get("lastWindowAt"));
        JsonNode none = get(id, "/timeline?from=2100-01-01T00:00:00Z").json();
        assertThat(none.get("start")).isEmpty();
        assertThat(none.get("windows").asInt()).isZero();
    }

    @Test
    void a_timeline_of_the_whole_run_has_the_same_highlights_as_the_report() {
        String id = scene.finishedRun();
        JsonNode run = get(id, "").json();
        JsonNode windows = get(id, "/windows?limit=10000").json().get("items");

        JsonNode highlights = get(id, "/timeline").json().get("highlights");

        assertThat(highlights.size()).isBetween(4, 8);
        assertThat(highlights.values()).extracting(one -> Instant.parse(one.get("at").asString())).isSorted();
        assertThat(highlights.get(0).get("at")).isEqualTo(windows.get(0).get("startedAt"));
        assertThat(highlights.get(0).get("text").asString()).contains(run.get("sut").asString());
        assertThat(highlights.get(highlights.size() - 1).get("text").asString())
                .startsWith(run.get("headline").asString());
        List<JsonNode> ends = get(id, "/decisions?limit=200").json().get("items").values().stream()
                .filter(one -> one.get("phase").asString().equals("Restoring")).toList();
        JsonNode end = highlights.values().stream()
                .filter(one -> one.get("text").asString().startsWith("The run ended: "))
                .findFirst().orElseThrow();
        assertThat(end.get("at")).as("when it was decided").isEqualTo(ends.getFirst().get("at"));
        assertThat(end.get("text").asString()).contains(run.get("stopReason").get("detail").asString());
        JsonNode first = windows.values().stream()
                .filter(one -> one.get("judgement").asString().equals("BREACHED")).findFirst().orElseThrow();
        assertThat(highlights.values()).anySatisfy(one -> {
            assertThat(one.get("at")).isEqualTo(first.get("startedAt"));
            assertThat(one.get("text").asString()).startsWith("latency broke at ");
        });
        assertThat(get(id, "/report?format=json").json().get("highlights")).isEqualTo(highlights);
        assertThat(get(id, "/timeline?from=2026-01-01T00:00:00Z").json().has("highlights")).isFalse();
    }

    private static double largest(JsonNode column) {
        return column.values().stream().filter(JsonNode::isNumber).mapToDouble(JsonNode::asDouble).max().orElseThrow();
    }

    @Test
    void a_timeline_of_nothing_or_nonsense_says_which_parameter_is_wrong() {
        assertThat(get("no-such-run", "/timeline").status()).isEqualTo(404);
        assertThat(get("no-such-run", "/timeline?points=1").json().get("field").asString()).isEqualTo("points");
        assertThat(get("no-such-run", "/timeline?from=yesterday").json().get("field").asString()).isEqualTo("from");
        assertThat(get("no-such-run", "/timeline?to=+10000-01-01T00:00:00Z").json().get("field").asString())
                .isEqualTo("to");
        assertThat(get("no-such-run", "/timeline?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z").json().get("field")
                .asString()).isEqualTo("to");
    }

    @Test
    void windows_tell_of_gauges_peers_and_what_is_believed_so_far() {
        JsonNode windows = get(scene.finishedRun(), "/windows?limit=10000").json().get("items");

        JsonNode last = windows.get(windows.size() - 1);
        assertThat(last.get("gauges").get(0).get("unit").asString()).isEqualTo("ratio");
        assertThat(last.get("peers").get("requestsPerSecond").asDouble()).isPositive();
        assertThat(last.get("peers").get("gauges").get(0).get("name").asString()).isEqualTo("cpu");
        assertThat(windows.values()).anySatisfy(window -> assertThat(window.path("estimate").path("low").asDouble())
                .isPositive());
    }

    @Test
    void decisions_that_changed_something_come_with_what_they_were_made_from() {
        String id = scene.finishedRun();

        List<JsonNode> decisions = new ArrayList<>();
        for (JsonNode page = get(id, "/decisions?limit=3").json(); page != null;) {
            decisions.addAll(page.get("items").values());
            JsonNode next = page.get("nextAfter");
            page = next == null ? null : get(id, "/decisions?limit=3&after=" + next.asLong()).json();
        }

        assertThat(decisions.getFirst().get("event").asString()).isEqualTo("Submitted");
        assertThat(decisions.getFirst().get("phaseBefore").asString()).isEqualTo("Pending");
        assertThat(decisions.getLast().get("phase").asString()).isEqualTo("Finished");
        assertThat(decisions).extracting(one -> one.get("sequence").asLong()).isSorted().doesNotHaveDuplicates();
        assertThat(decisions).allSatisfy(one -> assertThat(
                !one.get("phase").equals(one.get("phaseBefore"))
                        || !one.get("askedShare").equals(one.get("askedShareBefore"))
                        || !List.of("Tick", "VerdictArrived", "LeaseStatusArrived")
                                .contains(one.get("event").asString()))
                .as(one.toString())
                .isTrue());
        assertThat(decisions).anySatisfy(one -> assertThat(one.get("reason").asString()).startsWith("step "));
        assertThat(get(id, "/decisions?limit=200&all=true").json().get("items").size()).isGreaterThan(decisions.size());

        JsonNode raised = decisions.stream().filter(one -> one.has("windowSequence")).findFirst().orElseThrow();
        JsonNode inputs = get(id, "/decisions/" + raised.get("sequence").asLong()).json();
        assertThat(inputs.get("decision")).isEqualTo(raised);
        assertThat(inputs.get("window").get("sequence")).isEqualTo(raised.get("windowSequence"));
        assertThat(inputs.get("input").get("kind").asString()).isEqualTo("VerdictArrived");
        assertThat(inputs.get("stateBefore").get("kind").asString()).isEqualTo(raised.get("phaseBefore").asString());
        assertThat(get(id, "/decisions/1").json().get("stateBefore").get("kind").asString()).isEqualTo("Pending");
    }

    @Test
    void decisions_come_from_the_newest_backwards_as_well() {
        String id = scene.finishedRun();
        List<JsonNode> forwards = List.copyOf(get(id, "/decisions?limit=200").json().get("items").values());

        List<JsonNode> backwards = new ArrayList<>();
        for (JsonNode page = get(id, "/decisions?limit=3&before=9223372036854775807").json(); page != null;) {
            backwards.addAll(page.get("items").values());
            assertThat(page.has("nextAfter")).isFalse();
            JsonNode next = page.get("nextBefore");
            page = next == null ? null : get(id, "/decisions?limit=3&before=" + next.asLong()).json();
        }

        assertThat(backwards.reversed()).isEqualTo(forwards);
        assertThat(get(id, "/decisions?before=1").json().get("items")).isEmpty();
        assertThat(get(id, "/decisions?before=-5").json().get("items")).isEmpty();
        assertThat(get(id, "/decisions?before=3&all=true").json().get("items").values())
                .extracting(one -> one.get("sequence").asLong())
                .containsExactly(2L, 1L);
        assertThat(get(id, "/decisions?before=3&after=1").json().get("field").asString()).isEqualTo("before");
    }

    @Test
    void a_decision_that_never_was_is_not_found() {
        String id = scene.finishedRun();
        for (String sequence : new String[]{"0", "-1", "99999999", "9223372036854775807"}) {
            assertThat(get(id, "/decisions/" + sequence).status()).as(sequence).isEqualTo(404);
        }
        assertThat(get(id, "/decisions/first").status()).isEqualTo(400);
        assertThat(get(id, "/decisions?limit=0").status()).isEqualTo(400);
        assertThat(get(id, "/decisions?after=9223372036854775807").json().get("items")).isEmpty();
        assertThat(get(id, "/decisions?after=-5&limit=1").json().get("items").size()).isOne();
    }

    @Test
    void events_can_be_followed_from_a_sequence_on_without_a_header() {
        String id = scene.finishedRun();

        assertThat(get(id, "/events?after=20").response().body()).contains("event:end", "\nid:")
                .doesNotContain("id:20\n", "id:1\n");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.v1.Lease;
import io.redliner.contract.v1.RunPhase;
import io.redliner.contract.v1.RunSpec;
import io.redliner.controller.core.replay.Journal;
import io.redliner.controller.core.replay.JournalEntry;
import io.redliner.controller.core.replay.Replay;
import io.redliner.controller.core.replay.Replay.BoundsOverride;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.RunState;
import io.redliner.controller.core.run.RunTimeouts;
import io.redliner.controller.scene.FakeDataPlane;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.scene.Submitter;
import io.redliner.controller.service.persistence.RunReadRepository;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class WholeRunTest {

    private final Scene scene = Scene.shared();

    @Test
    void finds_the_capacity_within_bounds_and_restores_traffic() throws Exception {
        String service = scene.newService();
        FakeDataPlane plane = scene.plane(service);

        String id = scene.start(service);
        List<String> lines = scene.lines("/api/v1/runs/" + id + "/events");
        JsonNode run = scene.run(id);

        assertThat(run.get("phase").asString()).isEqualTo("Finished");
        assertThat(run.get("outcome").asString()).as(run.toPrettyString()).isEqualTo("CAPACITY_FOUND");
        assertThat(run.get("exitCode").asInt(-1)).isZero();
        assertThat(lines).as("also by the event that tells of the end")
                .anyMatch(line -> line.startsWith("data:") && line.contains("\"exitCode\":0"));
        assertThat(run.get("result").get("capacity").asDouble()).isEqualTo(395);
        assertThat(run.get("result").get("limitingRule").asString()).isEqualTo("latency");
        assertThat(run.get("bottleneck").get(0).get("resource").asString()).isEqualTo("CPU");
        assertThat(run.get("bottleneck").get(0).get("figures").get(0).get("value").asDouble()).isEqualTo(0.94);
        assertThat(run.get("validity").get(0).get("verdict").asString()).isEqualTo("OK");
        assertThat(run.at("/exceedances/loads/0/exceeding").asInt()).isEqualTo(70);
        assertThat(run.at("/exceedances/fit/0/ratio").asDouble()).isEqualTo(0.01);
        assertThat(scene.client().get("/api/v1/runs?service=" + service).json().at("/items/0").has("exceedances"))
                .as("in a list").isFalse();
        assertThat(run.get("restore").get("proof").asString()).isEqualTo("MEASURED");
        assertThat(plane.newestLease().getReleased()).isTrue();
        assertThat(plane.leases()).extracting(Lease::getSharePpm).allMatch(share -> share <= 600_000);
        assertThat(plane.leases()).extracting(Lease::getSequence).isSorted();
        assertThat(plane.leases()).extracting(Lease::getEpoch).containsOnly(plane.newestLease().getEpoch());
        scene.until(() -> plane.runs().getLast().getPhase() == RunPhase.RUN_PHASE_FINISHED);
        assertThat(plane.runs()).extracting(RunSpec::getPhase)
                .containsExactly(RunPhase.RUN_PHASE_PREPARING, RunPhase.RUN_PHASE_BASELINE, RunPhase.RUN_PHASE_RAMPING,
                        RunPhase.RUN_PHASE_CONFIRMING, RunPhase.RUN_PHASE_RESTORING, RunPhase.RUN_PHASE_FINISHED);
        assertThat(plane.runs().getFirst().getOverdueLimitsMicrosList()).containsExactly(100_000L);
        assertThat(scene.client().get("/api/v1/runs/" + id + "/steps").json().get("items").size()).isGreaterThan(4);
        assertThat(scene.client().get("/api/v1/runs/" + id + "/windows").json().get("items").size()).isGreaterThan(15);
        JsonNode capacity = scene.client().get("/api/v1/capacities/" + service).json().get("items").get(0);
        assertThat(capacity.get("runId").asString()).isEqualTo(id);
        assertThat(capacity.get("bottleneck").get(0).get("words").asString()).isEqualTo("the CPU was full");
        assertThat(capacity.get("validity").get(0).get("name").asString()).isEqualTo("littles-law");
        assertThat(lines).anyMatch(line -> line.startsWith("event:end")).anyMatch(line -> line.startsWith("id:"));
    }

    @Test
    void each_lease_of_a_run_says_which_traffic_it_moves_and_each_window_how_much_of_it_arrived() {
        String service = scene.newService();
        FakeDataPlane plane = scene.plane(service);

        String id = scene.startPlan(Scene.plan(service, service) + """
                  redirect:
                    mode: hash
                    attribute: {cookie: uid}
                    cohorts: [{name: new, headers: [{name: x-since, from: 20250101, to: 20260101}]}]
                """);
        scene.awaitPhase(id, "Finished");

        assertThat(plane.newestLease().getReleased()).isTrue();
        assertThat(plane.leases()).extracting(Lease::getRedirect).containsOnly(plane.newestLease().getRedirect());
        assertThat(plane.newestLease().getRedirect().getAttribute().getName()).isEqualTo("uid");
        assertThat(plane.newestLease().getRedirect().getCohorts(0).getHeaders(0).getRange().getTo())
                .isEqualTo(20260101);
        for (JsonNode window : scene.client().get("/api/v1/runs/" + id + "/windows").json().get("items")) {
            assertThat(window.get("shareAsked").asDouble()).isEqualTo(window.get("askedShare").asDouble());
            double measured = window.get("shareMeasured").asDouble();
            assertThat(window.get("shareLow").asDouble()).isBetween(measured - 0.11, measured - 0.05);
            assertThat(window.get("shareHigh").asDouble()).isBetween(measured + 0.05, measured + 0.11);
        }
    }

    @Test
    void a_fleet_that_changes_under_the_test_ends_it_inconclusive() {
        String service = scene.newService();
        FakeDataPlane plane = scene.plane(service);
        String id = scene.start(service);
        scene.awaitPhase(id, "Ramping");

        plane.instanceEjected = true;
        JsonNode run = scene.awaitPhase(id, "Finished");

        assertThat(run.get("outcome").asString()).isEqualTo("INCONCLUSIVE");
        assertThat(run.get("stopReason").get("code").asString()).isEqualTo("FleetChanged");
        assertThat(run.get("stopReason").get("detail").asString()).contains("10.0.0.2:8080 was ejected", "five 5xx");
    }

    @Test
    void a_run_that_a_check_objects_to_has_no_result_and_the_estimate_stays_visible() {
        String service = scene.newService();
        scene.plane(service).invalid = true;

        String id = scene.start(service);
        JsonNode run = scene.awaitPhase(id, "Finished");

        assertThat(run.get("outcome").asString()).isEqualTo("INCONCLUSIVE");
        assertThat(run.get("stopReason").get("code").asString()).isEqualTo("Invalid");
        assertThat(run.get("stopReason").get("detail").asString()).contains("littles-law", "20 % apart");
        assertThat(run.has("result")).isFalse();
        assertThat(run.get("estimate").get("capacity").asDouble()).isEqualTo(395);
        assertThat(run.get("validity").get(0).get("verdict").asString()).isEqualTo("INVALID");
        assertThat(scene.client().get("/api/v1/capacities/" + service).status()).isEqualTo(404);
    }

    @Test
    void a_finished_run_is_decided_again_from_its_journal_with_the_same_decisions() {
        String service = scene.newService();
        scene.plane(service);
        String id = scene.start(service);
        scene.awaitPhase(id, "Finished");

        RunJsonMapper json = scene.context().getBean(RunJsonMapper.class);
        List<JournalEntry> journal = scene.context().getBean(RunReadRepository.class).export(id).next(Integer.MAX_VALUE)
                .stream()
                .map(line -> json.read(line, JournalEntry.class)).toList();

        assertThat(journal.size()).isGreaterThan(30);
        assertThat(journal.getLast().decision().state()).isInstanceOf(RunState.Finished.class);
        RunState first = new RunState.Pending(journal.getFirst().decision().state().facts());
        assertThat(Replay.again(new Journal(first, journal), BoundsOverride.OWN)).isEmpty();
    }

    @Test
    void a_stream_goes_on_after_the_last_event_that_was_seen() throws Exception {
        String service = scene.newService();
        scene.plane(service);
        String id = scene.start(service);
        scene.awaitPhase(id, "Finished");

        List<String> all = scene.client().stream("/api/v1/runs/" + id + "/events").filter(l -> l.startsWith("id:"))
                .toList();
        String middle = all.get(all.size() / 2).substring(3).strip();
        List<String> rest = scene.client()
                .stream("/api/v1/runs/" + id + "/events", "Last-Event-ID", middle)
                .filter(line -> line.startsWith("id:"))
                .toList();

        assertThat(rest).isEqualTo(all.subList(all.size() / 2 + 1, all.size()));
    }

    @Test
    void an_abort_restores_traffic_and_keeps_the_reason() {
        String service = scene.newService();
        FakeDataPlane plane = scene.plane(service);
        plane.holding = true;
        String id = scene.start(service);
        scene.awaitPhase(id, "Ramping");

        int status = scene.client().post("/api/v1/runs/" + id + ":abort", "{\"reason\": \"wrong day\"}").status();
        JsonNode run = scene.awaitPhase(id, "Finished");

        assertThat(status).isEqualTo(202);
        assertThat(run.get("outcome").asString()).isEqualTo("ABORTED");
        assertThat(run.get("stopReason").get("detail").asString()).isEqualTo("wrong day");
        assertThat(plane.newestLease().getReleased()).isTrue();
        assertThat(scene.client().post("/api/v1/runs/" + id + ":abort", "{\"reason\": \"again\"}").status())
                .isEqualTo(409);
    }

    @Test
    void a_broken_guard_ends_the_run_at_once_and_is_named() {
        String service = scene.newService();
        FakeDataPlane plane = scene.plane(service);
        plane.holding = true;
        String id = scene.start(service);
        scene.awaitPhase(id, "Ramping");

        plane.guardBroken = true;
        JsonNode run = scene.awaitPhase(id, "Finished");

        assertThat(run.get("outcome").asString()).isEqualTo("ABORTED");
        assertThat(run.get("stopReason").get("detail").asString()).contains("fleet-errors", "5 % against 1 %");
        assertThat(run.get("exitCode").asInt()).isEqualTo(99);
    }

    @Test
    void lost_telemetry_ends_the_run_with_natural_traffic() {
        String service = scene.newService();
        FakeDataPlane plane = scene.plane(service);
        String id = scene.start(service);
        scene.awaitPhase(id, "Ramping");
        scene.until(() -> plane.newestLease().getSharePpm() > FakeDataPlane.NATURAL_PPM);

        plane.analyzerSilent = true;
        Instant silent = scene.now();
        scene.until(() -> plane.newestLease().getSharePpm() == FakeDataPlane.NATURAL_PPM);
        assertThat(Duration.between(silent, scene.now())).isLessThan(RunTimeouts.DEFAULT.leaseTtl());
        JsonNode run = scene.awaitPhase(id, "Finished");

        assertThat(run.get("outcome").asString()).isEqualTo("INCONCLUSIVE");
        assertThat(run.get("stopReason").get("code").asString()).isEqualTo("TelemetryLost");
        assertThat(plane.newestLease().getReleased()).isTrue();
    }

    @Test
    void a_silent_redirector_ends_the_run_and_restoring_is_claimed_only_when_it_was_measured() {
        String service = scene.newService();
        FakeDataPlane plane = scene.plane(service);
        plane.holding = true;
        String id = scene.start(service);
        scene.awaitPhase(id, "Ramping");

        plane.redirectorSilent = true;
        JsonNode run = scene.awaitPhase(id, "Finished");

        assertThat(run.get("outcome").asString()).isEqualTo("FAILED");
        assertThat(run.get("stopReason").get("detail").asString()).contains("redirector-1");
        assertThat(run.get("restore").get("proof").asString()).isEqualTo("MEASURED_AFTER_EXPIRY");
    }

    @Test
    void a_share_that_stays_is_an_alarm_until_a_run_has_measured_natural_traffic() {
        String service = scene.newService();
        FakeDataPlane plane = scene.plane(service);
        plane.holding = true;
        String id = scene.start(service);
        scene.awaitPhase(id, "Ramping");

        // Not this run, but somebody else moves the traffic now.
        plane.foreignPpm = 621_777;
        assertThat(scene.client().post("/api/v1/runs/" + id + ":abort", "{\"reason\": \"look\"}").status())
                .isLessThan(300);
        JsonNode run = scene.awaitPhase(id, "Finished");

        assertThat(run.at("/restore/traffic").asString()).isEqualTo("NOT_NATURAL");
        assertThat(run.at("/restore/detail").asString()).contains("62.2%");
        assertThat(alarms(service)).singleElement().asString().contains(id, "not natural");

        String never = Submitter.submit(scene, "schedule",
                Scene.plan(service, service) + "  safety: {approval: {within: 1h}}\n");
        scene.client().post("/api/v1/runs/" + never + ":abort", "{\"reason\": \"it never began\"}");
        scene.awaitPhase(never, "Finished");
        assertThat(alarms(service)).as("nothing was measured since").singleElement().asString().contains(id);

        plane.foreignPpm = 0;
        plane.holding = false;
        scene.awaitPhase(scene.start(service), "Finished");
        assertThat(alarms(service)).isEmpty();
    }

    private List<String> alarms(String service) {
        List<String> alarms = new ArrayList<>();
        scene.client().get("/api/v1/services").json().get("items").forEach(item -> {
            if (item.get("name").asString().equals(service)) {
                item.get("alarms").forEach(alarm -> alarms.add(alarm.asString()));
            }
        });
        return alarms;
    }

    @Test
    void metrics_tell_of_a_run_and_the_controller_is_healthy() {
        String service = scene.newService();
        scene.plane(service);
        String id = scene.start(service);

        assertThat(scene.awaitPhase(id, "Finished").get("outcome").asString()).isEqualTo("CAPACITY_FOUND");
        assertThat(scene.client().get("/actuator/prometheus").response().body())
                .contains("redliner_runs_total{", "redliner_capacity_requests_per_second{",
                        "redliner_share_ratio{", "redliner_run_phase{", "redliner_restore_seconds",
                        "redliner_run_duration_seconds",
                        "redliner_harm_requests_total{", "redliner_sut_requests_per_second{")
                .doesNotContainPattern("redliner_sla_(value|threshold)\\{[^}]*service=\"" + service + "\"");
        assertThat(scene.client().get("/actuator/health").json().get("status").asString()).isEqualTo("UP");
    }
}

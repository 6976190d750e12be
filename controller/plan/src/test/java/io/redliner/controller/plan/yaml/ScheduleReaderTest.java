// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.document.DocumentProblem;
import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.Schedule;
import io.redliner.controller.plan.Schedule.MisfirePolicy;
import io.redliner.controller.plan.Timing;
import io.redliner.sla.RuleCompiler;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ScheduleReaderTest {

    private static final String PLAN = """
            apiVersion: redliner.io/v1
            kind: CapacityTest
            metadata: {name: weekly}
            spec:
              service: shop
              sut: {instance: "10.0.3.17:8080"}
              sla:
                - {name: errors, expr: "error_rate <= 0.001"}
            """;

    private static final String WHOLE = """
              schedule:
                cron: "0 9 * * TUE"
                zone: Europe/Berlin
                jitter: 10m
                on: [deployment]
                delay: 5m
                only:
                  - {days: [TUE, THU], from: "09:00", to: "17:00"}
                  - {from: "22:00", to: "24:00"}
                except:
                  - quarter-end: 5d
                  - month-end
                  - holidays
                  - 2026-12-24
                  - 2026-12-24/2027-01-02
                missed: run
                missedWithin: 2h
            """;

    private final PlanReader reader = new PlanReader(new RuleCompiler());

    private final PlanWriter writer = new PlanWriter();

    private Schedule schedule(String text) throws InvalidDocumentException {
        return Objects.requireNonNull(reader.read(PLAN + text).schedule());
    }

    private DocumentProblem problem(String line) {
        try {
            reader.read(PLAN + "  schedule:\n    " + line + "\n");
        } catch (InvalidDocumentException invalid) {
            assertThat(invalid.problems()).hasSize(1);
            return invalid.problems().getFirst();
        }
        throw new AssertionError("is valid");
    }

    @Test
    void reads_everything_a_schedule_may_say() throws InvalidDocumentException {
        Schedule schedule = schedule(WHOLE);

        assertThat(schedule.timing()).isEqualTo(new Timing.Cron("0 9 * * TUE"));
        assertThat(schedule.zone().getId()).isEqualTo("Europe/Berlin");
        assertThat(schedule.jitter()).isEqualTo(Duration.ofMinutes(10));
        assertThat(schedule.onDeployment()).isTrue();
        assertThat(schedule.delay()).isEqualTo(Duration.ofMinutes(5));
        assertThat(schedule.only()).hasSize(2);
        assertThat(schedule.except()).extracting("text")
                .containsExactly("quarter-end:5d", "month-end:3d", "holidays", "2026-12-24",
                        "2026-12-24/2027-01-02");
        assertThat(schedule.calendars()).containsExactly("holidays");
        assertThat(schedule.misfires().policy()).isEqualTo(MisfirePolicy.RUN);
        assertThat(schedule.misfires().within()).isEqualTo(Duration.ofHours(2));
    }

    @Test
    void the_canonical_form_is_read_back_and_a_plan_without_a_schedule_keeps_its_own() throws InvalidDocumentException {
        for (String text : List.of(WHOLE, "  schedule: {interval: 6h}\n", "  schedule: {on: [deployment]}\n")) {
            Plan plan = reader.read(PLAN + text);
            assertThat(reader.read(writer.write(plan))).isEqualTo(plan);
        }
        assertThat(writer.write(reader.read(PLAN))).doesNotContain("schedule");
    }

    @Test
    void mistakes_are_reported_where_they_stand() {
        assertThat(problem("cron: \"0 9 * *\"").message()).contains("five fields");
        assertThat(problem("cron: \"0 25 * * *\"").message()).contains("no cron expression", "25");
        assertThat(problem("cron: \"0 9 * * FOO\"").message()).contains("no cron expression");
        assertThat(problem("cron: \"* * * * * *\"").message()).contains("five fields");
        assertThat(problem("{cron: \"0 9 * * *\", zone: Europe/Brelin}").message()).contains("Europe/Brelin", "zone");
        assertThat(problem("{cron: \"0 9 * * *\", interval: 6h}").message()).contains("one of the two");
        assertThat(problem("{interval: 5s}").message()).contains("1m");
        assertThat(problem("{missed: run}").message()).contains("starts nothing");
        assertThat(problem("{on: [full-moon]}").message()).contains("known is deployment");
        assertThat(problem("{cron: \"0 9 * * *\", delay: 5m}").message()).contains("on: [deployment]");
        assertThat(problem("{on: [deployment], jitter: 5m}").message()).contains("cron or interval");
        assertThat(problem("{interval: 6h, only: [{days: [TUESDAY]}]}").message()).contains("MON, TUE");
        assertThat(problem("{interval: 6h, only: [{from: \"09:00\", to: \"09:00\"}]}").message()).contains("begins");
        assertThat(problem("{interval: 6h, only: [{from: \"9\"}]}").message()).contains("09:00");
        assertThat(problem("{interval: 6h, except: [2026-13-01]}").message()).contains("2026-12-24");
        assertThat(problem("{interval: 6h, except: [week-end]}").message()).contains("quarter-end");
        assertThat(problem("{interval: 6h, except: [\"Holidays!\"]}").message()).contains("name of a calendar");
        assertThat(problem("{interval: 6h, every: 2}").path()).isEqualTo("$.spec.schedule.every");
        DocumentProblem missed = problem("{interval: 6h, missed: perhaps}");
        assertThat(missed.line()).isEqualTo(10);
        assertThat(missed.path()).isEqualTo("$.spec.schedule.missed");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.sut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.redliner.controller.core.capacity.InstanceFacts;
import io.redliner.controller.core.sut.SutSelector.SutSelection;
import io.redliner.controller.plan.SutChoice.Label;
import io.redliner.controller.plan.SutChoice.Select;
import io.redliner.controller.plan.SutChoice.Selected;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SutSelectorTest {

    private static final Instant DAY = Instant.parse("2026-03-01T00:00:00Z");

    private final List<SutCandidate> candidates = new ArrayList<>();

    private List<Rollout> rollouts = List.of();

    private @Nullable Rollout cause;

    private @Nullable Rollout since;

    private Set<String> without = Set.of();

    private final Random random = new Random(1);

    private void instance(String address, @Nullable String version, @Nullable String hardware, int testedOn) {
        candidates.add(new SutCandidate(address, new InstanceFacts(version, hardware, null),
                testedOn == 0 ? null : day(testedOn)));
    }

    private static Instant day(int number) {
        return DAY.plusSeconds(86_400L * number);
    }

    private static Rollout rollout(String version, int day) {
        return new Rollout("deployment of " + version, version, day(day), true);
    }

    private SutSelection choose(Select select, Map<Label, String> labels) throws NoMatchingInstanceException {
        return SutSelector.choose(new Selected(select, labels), fleet(), without, cause == null ? null : "build-7",
                random);
    }

    private SutSelection choose(Select select) throws NoMatchingInstanceException {
        return choose(select, Map.of());
    }

    private CandidateFleet fleet() {
        return new CandidateFleet("shop", candidates, 0, rollouts, cause, since);
    }

    private NoMatchingInstanceException refused(Select select, Map<Label, String> labels) {
        NoMatchingInstanceException nothing = catchThrowableOfType(NoMatchingInstanceException.class,
                () -> choose(select, labels));
        assertThat(nothing).isNotNull().hasMessageContaining("/instances/{address}");
        return nothing;
    }

    @Test
    void random_takes_each_as_often_as_the_others() throws Exception {
        for (String address : List.of("a:1", "b:1", "c:1", "d:1")) {
            instance(address, null, null, 0);
        }
        Map<String, Integer> taken = new HashMap<>();
        for (int number = 0; number < 4000; number++) {
            taken.merge(choose(Select.RANDOM).instance(), 1, Integer::sum);
        }

        // Five standard deviations of a binomial with 4000 trials and p = 1/4 are 137.
        assertThat(taken.values()).hasSize(4).allSatisfy(times -> assertThat(times).isBetween(863, 1137));
        assertThat(choose(Select.RANDOM).why()).isEqualTo("drawn by lot from 4 instances");
    }

    @Test
    void label_takes_the_one_that_was_tested_least_recently_and_what_is_unknown_never_matches() throws Exception {
        instance("a:1", "1", "large", 5);
        instance("b:1", "1", "large", 3);
        instance("c:1", "1", null, 1);
        instance("d:1", "1", "small", 1);

        SutSelection chosen = choose(Select.LABEL, Map.of(Label.HARDWARE, "large"));

        assertThat(chosen.instance()).isEqualTo("b:1");
        assertThat(chosen.among()).isEqualTo(2);
        assertThat(chosen.why()).contains("hardware large", "tested least recently, at " + day(3));
        instance("e:1", "1", "large", 0);
        assertThat(choose(Select.LABEL, Map.of(Label.HARDWARE, "large")).instance()).isEqualTo("e:1");
        assertThat(refused(Select.LABEL, Map.of(Label.HARDWARE, "huge")))
                .hasMessageContaining("no instance with hardware huge")
                .hasMessageContaining("3 of hardware large, 1 of hardware small, 1 of unknown hardware");
    }

    @Test
    void newest_is_what_was_deployed_last_whatever_its_number_is() throws Exception {
        instance("a:1", "2.0", null, 1);
        instance("b:1", "1.9", null, 2);
        instance("c:1", "1.9", null, 1);
        instance("d:1", null, null, 0);
        rollouts = List.of(rollout("1.9", 9), rollout("2.0", 8));

        SutSelection chosen = choose(Select.NEWEST);

        assertThat(chosen.instance()).isEqualTo("c:1");
        assertThat(chosen.version()).isEqualTo("1.9");
        assertThat(chosen.why()).contains("deployed at " + day(9));
    }

    @Test
    void numbers_decide_where_no_deployment_was_reported_and_nothing_else_does() throws Exception {
        instance("a:1", "2.9.1", null, 0);
        instance("b:1", "v2.10", null, 0);

        assertThat(choose(Select.NEWEST).instance()).isEqualTo("b:1");
        assertThat(choose(Select.PREVIOUS).instance()).isEqualTo("a:1");
        instance("c:1", "2.10-rc1", null, 0);
        assertThat(refused(Select.NEWEST, Map.of())).hasMessageContaining("2.10-rc1").hasMessageContaining("POST");
    }

    @Test
    void nothing_is_guessed_when_versions_are_unknown_or_were_deployed_nobody_knows_where() {
        instance("a:1", null, null, 0);
        assertThat(refused(Select.NEWEST, Map.of()).gone()).isFalse();

        instance("b:1", "1", null, 0);
        rollouts = List.of(new Rollout("deployment of 2", "2", day(2), false), rollout("1", 1));
        assertThat(refused(Select.NEWEST, Map.of())).hasMessageContaining("nobody said to which instances");
    }

    @Test
    void a_deployment_that_starts_a_run_gets_an_instance_of_its_version_and_of_the_one_before() throws Exception {
        instance("a:1", "1", null, 0);
        instance("b:1", "2", null, 0);
        instance("c:1", "3", null, 0);
        cause = rollout("2", 2);
        rollouts = List.of(rollout("2", 2), rollout("1", 1));

        assertThat(choose(Select.NEWEST).instance()).isEqualTo("b:1");
        assertThat(choose(Select.PREVIOUS).instance()).isEqualTo("a:1");
        assertThat(choose(Select.NEWEST).deployment()).isEqualTo("build-7");
    }

    @Test
    void the_version_before_is_the_one_before_even_when_its_only_newer_instance_is_taken() throws Exception {
        instance("a:1", "1", null, 0);
        instance("b:1", "2", null, 0);
        instance("c:1", "3", null, 0);
        rollouts = List.of(rollout("3", 3), rollout("2", 2), rollout("1", 1));
        without = Set.of("c:1");

        assertThat(choose(Select.PREVIOUS).instance()).isEqualTo("b:1");
        assertThat(refused(Select.NEWEST, Map.of())).hasMessageContaining("no instance of version 3");
    }

    @Test
    void the_only_other_version_is_the_one_before_when_its_deployment_was_never_reported() throws Exception {
        instance("a:1", "blue", null, 0);
        instance("b:1", "green", null, 0);
        cause = rollout("green", 2);
        rollouts = List.of(rollout("green", 2));

        assertThat(choose(Select.PREVIOUS).instance()).isEqualTo("a:1");
    }

    @Test
    void an_old_version_without_an_instance_is_gone_and_a_new_one_may_still_come() {
        instance("a:1", "3", null, 0);
        cause = rollout("3", 3);
        rollouts = List.of(rollout("3", 3), rollout("2", 2));
        NoMatchingInstanceException gone = refused(Select.PREVIOUS, Map.of());

        assertThat(gone.gone()).isTrue();
        assertThat(gone).hasMessageContaining("no instance of version 2").hasMessageContaining("left")
                .hasMessageContaining("1 of version 3");
        candidates.clear();
        instance("a:1", "2", null, 0);
        assertThat(refused(Select.NEWEST, Map.of()).gone()).isFalse();
        since = rollout("4", 4);
        assertThat(refused(Select.NEWEST, Map.of()).gone()).isTrue();
        assertThat(refused(Select.NEWEST, Map.of())).hasMessageContaining("version 4 was deployed since");
    }
}

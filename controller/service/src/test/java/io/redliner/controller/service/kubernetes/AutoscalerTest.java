// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.service.kubernetes.Autoscaler.Change;
import io.redliner.controller.service.kubernetes.Autoscaler.Hold;
import io.redliner.controller.service.kubernetes.Autoscaler.Kind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The holding of an object that scales a service, without a cluster. */
@Execution(ExecutionMode.CONCURRENT)
class AutoscalerTest {

    private static Autoscaler autoscaler(@Nullable Integer min, int max, int replicas, @Nullable Hold hold) {
        return of(Kind.HORIZONTAL_POD_AUTOSCALER, min, max, replicas, hold);
    }

    private static Autoscaler of(Kind kind, @Nullable Integer min, int max, int replicas, @Nullable Hold hold) {
        return new Autoscaler(new Autoscaler.Key(kind, "shop", "cart"), "cart", "7", min, max, replicas, hold);
    }

    private static Hold hold(@Nullable Integer before, int min) {
        return new Hold("cart", "run-1", before, min);
    }

    @Test
    void a_run_keeps_the_instances_that_there_are_and_afterwards_it_is_as_before() {
        Change held = autoscaler(2, 20, 5, null).during("run-1").orElseThrow();
        Change over = autoscaler(5, 20, 5, held.hold()).afterwards().orElseThrow();

        assertThat(held.min()).isEqualTo(5);
        assertThat(held.words())
                .isEqualTo("keeps its 5 instances while run run-1 tests cart; before it kept at least 2");
        assertThat(over.min()).isEqualTo(2);
        assertThat(over.hold()).isNull();
        assertThat(over.words()).isEqualTo(
                "is not held any more, as run run-1 is over: it keeps 2 instances at least, as before");
    }

    @Test
    void a_minimum_that_was_not_set_is_not_set_afterwards() {
        Change held = autoscaler(null, 20, 5, null).during("run-1").orElseThrow();

        assertThat(held.hold()).isEqualTo(hold(null, 5));
        assertThat(autoscaler(5, 20, 5, held.hold()).afterwards().orElseThrow().min()).isNull();
    }

    @Test
    void what_keeps_as_many_anyway_or_is_held_already_is_left_alone() {
        assertThat(autoscaler(5, 20, 5, null).during("run-1")).isEmpty();
        assertThat(autoscaler(null, 20, 1, null).during("run-1")).as("one is the default").isEmpty();
        assertThat(autoscaler(5, 20, 8, hold(2, 5)).during("run-2")).as("the first value is what is undone").isEmpty();
        assertThat(autoscaler(2, 20, 5, null).afterwards()).isEmpty();
        assertThat(of(Kind.SCALED_OBJECT, null, 20, 1, null).during("run-1")).as("KEDA would go to zero").isPresent();
    }

    @Test
    void no_more_instances_are_kept_than_it_may_have() {
        assertThat(autoscaler(2, 4, 5, null).during("run-1").orElseThrow().min()).isEqualTo(4);
    }

    @Test
    void what_somebody_set_meanwhile_stays_and_is_said() {
        Autoscaler touched = autoscaler(3, 20, 5, hold(2, 5));

        assertThat(touched.problem()).hasValue(
                "somebody set minReplicas to 3 while run run-1 held it at 5: it may remove instances");
        assertThat(touched.afterwards().orElseThrow().min()).isEqualTo(3);
        assertThat(touched.afterwards().orElseThrow().words()).endsWith("as somebody set it meanwhile");
        assertThat(autoscaler(5, 20, 5, hold(2, 5)).problem()).isEmpty();
    }

    @Test
    void an_unknown_number_of_instances_is_not_held_and_said() {
        Autoscaler unknown = autoscaler(2, 20, 0, null);

        assertThat(unknown.during("run-1")).isEmpty();
        assertThat(unknown.problem().orElseThrow()).startsWith("how many instances it has is not known");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.sizing.Headroom.Answer;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HeadroomTest {

    private static FleetInstance instance(String address, double share, @Nullable Double low, @Nullable String zone) {
        return new FleetInstance(address, share, null, low, zone);
    }

    private static final List<FleetInstance> FOUR = List.of(instance("a", 0.25, 100.0, "z1"),
            instance("b", 0.25, 100.0, "z1"), instance("c", 0.25, 100.0, "z2"), instance("d", 0.25, 100.0, "z3"));

    @Test
    void a_fleet_takes_the_sum_of_its_lower_bounds() {
        assertThat(Headroom.of(FOUR, 400.0).answer()).isEqualTo(Answer.SURVIVES);
        assertThat(Headroom.of(FOUR, 300.0).free()).isEqualTo(0.25);
        assertThat(Headroom.of(FOUR, 401.0).answer()).isEqualTo(Answer.DOES_NOT_SURVIVE);
    }

    @Test
    void the_domain_whose_loss_costs_most_is_the_one_that_counts() {
        Headroom lost = Headroom.withoutAnyDomain(FOUR, 201.0);

        assertThat(lost.answer()).isEqualTo(Answer.DOES_NOT_SURVIVE);
        assertThat(lost.lost()).isEqualTo("z1");
        assertThat(lost.capacity()).isEqualTo(200);
        assertThat(Headroom.withoutAnyDomain(FOUR, 200.0).answer()).isEqualTo(Answer.SURVIVES);
        assertThat(Headroom.withoutAnyDomain(FOUR.subList(0, 2), 1.0).answer()).isEqualTo(Answer.DOES_NOT_SURVIVE);
        assertThat(Headroom.withoutLargest(FOUR, 200.0, 3).answer()).isEqualTo(Answer.SURVIVES);
        assertThat(Headroom.withoutLargest(FOUR, 201.0, 3).answer()).isEqualTo(Answer.DOES_NOT_SURVIVE);
    }

    @Test
    void one_instance_of_unknown_capacity_makes_the_answer_unknown() {
        List<FleetInstance> doubtful = Stream.concat(FOUR.stream(), Stream.of(instance("e", 0.1, null, "z2"))).toList();

        Headroom headroom = Headroom.of(doubtful, 1.0);

        assertThat(headroom.answer()).isEqualTo(Answer.UNKNOWN);
        assertThat(headroom.reason()).isEqualTo("the capacity is unknown of e");
        assertThat(Headroom.withoutAnyDomain(doubtful, 1.0).answer()).isEqualTo(Answer.UNKNOWN);
        assertThat(Headroom.withoutLargest(doubtful, 1.0, 3).answer()).isEqualTo(Answer.UNKNOWN);
        assertThat(FleetAssessment.of(doubtful, Demand.of(BigDecimal.ONE)).verdict())
                .isEqualTo(FleetAssessment.Verdict.UNKNOWN);
    }

    @Test
    void an_unknown_peak_domain_or_fleet_is_unknown() {
        assertThat(Headroom.of(FOUR, null).reason()).isEqualTo("the peak is unknown");
        assertThat(Headroom.of(List.of(), 1.0).reason()).isEqualTo("no instance is known");
        assertThat(Headroom.withoutAnyDomain(List.of(instance("a", 1, 100.0, null)), 1.0).reason())
                .contains("failure domain");
        assertThat(Headroom.withoutAnyDomain(List.of(), 1.0).answer()).isEqualTo(Answer.UNKNOWN);
    }

    @Test
    void a_weak_instance_that_gets_as_much_as_the_strong_ones_is_named() {
        List<FleetInstance> mixed = List.of(instance("weak", 0.5, 100.0, null), instance("strong", 0.5, 300.0, null));

        Headroom headroom = Headroom.of(mixed, 300.0);

        assertThat(headroom.capacity()).isEqualTo(400);
        assertThat(headroom.atNaturalShares()).isEqualTo(200);
        assertThat(headroom.answer()).isEqualTo(Answer.SURVIVES_IF_REBALANCED);
    }

    @Test
    void says_how_many_instances_are_too_many_or_too_few_and_the_urgent_first() {
        FleetAssessment under = FleetAssessment.of(FOUR, Demand.of(BigDecimal.valueOf(601)));
        FleetAssessment over = FleetAssessment.of(FOUR, Demand.of(BigDecimal.valueOf(150)));
        FleetAssessment right = FleetAssessment.of(FOUR, Demand.of(BigDecimal.valueOf(400)));
        FleetAssessment unknown = FleetAssessment.of(FOUR, null);

        assertThat(under.surplus()).isEqualTo(-3);
        assertThat(under.needed()).isEqualTo(7);
        assertThat(over.surplus()).isEqualTo(2);
        assertThat(right.verdict()).isEqualTo(FleetAssessment.Verdict.RIGHT);
        assertThat(Stream.of(right, over, unknown, under).sorted(FleetAssessment.URGENCY))
                .containsExactly(under, unknown, over, right);
    }
}

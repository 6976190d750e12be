// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.sizing.FleetInstance;
import io.redliner.controller.service.report.FleetNeed.Caveat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FleetNeedTest {

    private static List<FleetInstance> fleet(int many, @Nullable Double low) {
        return Collections.nCopies(many, new FleetInstance("10.0.0.1:8080", 1.0 / many, "small", low, null));
    }

    @Test
    void counts_as_the_command_size_does_and_says_how_many_are_missing() {
        // 1000 / (100 x 0.7) = 15 ordinarily, and 1000 / 100 = 10 of three domains when one is lost, which is 15 too.
        FleetNeed need = FleetNeed.of(100, fleet(11, 100.0), 1000.0, Set.of());

        assertThat(need.needed()).isEqualTo(15);
        assertThat(need.missing()).isEqualTo(4);
        assertThat(need.describe()).contains("1000 requests/s, the service needs 15 instances like this one",
                "30 % stays free", "It has 11: 4 too few.", "leaves 9.09 % of their capacity free");
    }

    @Test
    void the_reserve_is_the_one_that_the_page_of_a_service_begins_with() throws IOException {
        String page = new String(
                Objects.requireNonNull(FleetNeedTest.class.getResourceAsStream("/controller-pages/service.html"))
                        .readAllBytes(),
                StandardCharsets.UTF_8);
        assertThat(page).contains(
                "id=\"sizing-headroom\" name=\"headroom\" value=\"30%\"",
                "id=\"sizing-domains\" name=\"failureDomains\" inputmode=\"numeric\" value=\"3\"",
                "id=\"sizing-loss-headroom\" name=\"headroomAtLoss\" value=\"0%\"");
    }

    @Test
    void more_than_enough_is_not_just_enough() {
        assertThat(FleetNeed.of(100, fleet(20, 100.0), 1000.0, Set.of()).describe())
                .contains("It has 20, 5 more than that.");
        assertThat(FleetNeed.of(100, fleet(15, 100.0), 1000.0, Set.of()).describe())
                .contains("It has 15, as many as it needs.");
        assertThat(FleetNeed.of(100, fleet(8, 100.0), 1000.0, Set.of()).describe())
                .contains("That load is 25 % more than they can take");
    }

    @Test
    void no_number_of_missing_instances_follows_from_one_of_a_mixed_fleet() {
        List<FleetInstance> mixed = new ArrayList<>(fleet(3, 1000.0));
        mixed.addAll(fleet(1, 100.0));
        FleetNeed need = FleetNeed.of(100, mixed, 1500.0, Set.of());

        assertThat(need.missing()).isNull();
        assertThat(need.mayMiss()).isTrue();
        assertThat(need.describe()).contains("instances like this one", "how many are missing does not follow",
                "leaves 51.6 % of their capacity free").doesNotContain("too few");
        assertThat(FleetNeed.of(100, fleet(11, 104.0), 1000.0, Set.of()).missing()).as("measured anew").isEqualTo(4);
    }

    @Test
    void a_lower_bound_or_an_old_number_asks_for_no_instance() {
        FleetNeed bound = FleetNeed.of(100, fleet(11, 100.0), 1000.0, Set.of(Caveat.LOWER_BOUND));
        FleetNeed old = FleetNeed.of(100, fleet(11, 100.0), 1000.0, Set.of(Caveat.STALE_PEAK, Caveat.STALE_CAPACITY));

        assertThat(List.of(bound, old)).allSatisfy(need -> assertThat(need.missing()).isNull());
        assertThat(bound.describe()).contains("needs at most 15 instances", "It has 11: whether any is missing is not")
                .doesNotContain("too few");
        assertThat(old.describe()).contains("1000 requests/s (measured too long ago to rely on)",
                "one at least is too old to rely on.");
        assertThat(FleetNeed.of(100, fleet(20, 100.0), 1000.0, Set.of(Caveat.LOWER_BOUND)).describe())
                .contains("It has 20, 5 more than that.");
    }

    @Test
    void nothing_unknown_reads_as_enough() {
        assertThat(FleetNeed.of(100, fleet(4, 100.0), null, Set.of()).describe())
                .isEqualTo("How many instances the service needs is not known: the service's peak is unknown.");
        assertThat(FleetNeed.of(100, null, 1000.0, Set.of()).describe())
                .contains("needs 15 instances", "How many it has is not known: no redirector reports the service");
        assertThat(FleetNeed.of(100, fleet(20, null), 1000.0, Set.of()).describe())
                .contains("It has 20, whose capacities are not all known to be like this one's",
                        "free is not known: the capacity is unknown of 10.0.0.1:8080");
        assertThat(FleetNeed.of(0, fleet(4, 100.0), 1000.0, Set.of()).describe())
                .contains("is not known: an instance whose capacity may be 0 requests/s cannot be counted on");
        assertThat(FleetNeed.of(100, null, 1000.0, Set.of()).missing()).isNull();
        assertThat(FleetNeed.UNKNOWN.missing()).isNull();
    }
}

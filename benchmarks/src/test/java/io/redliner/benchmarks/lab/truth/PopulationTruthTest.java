// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.truth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.redliner.benchmarks.lab.server.ServerKinds;
import io.redliner.benchmarks.lab.server.ServerPopulation.Group;
import io.redliner.benchmarks.lab.server.ServerPopulation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PopulationTruthTest {

    @Test
    void a_capacity_that_took_minutes_to_find_is_found_in_seconds() {
        var kind = ServerKinds.named("bounded");

        var truth = PopulationTruth.find(kind).orElseThrow();

        double recorded = RecordedCapacities.of(kind);
        assertThat(truth.capacity()).isCloseTo(recorded, within(0.015 * recorded));
        assertThat(truth.error()).isBetween(0.0, 0.01);
        assertThat(truth.byErrors()).isTrue();
        // Of the long search: see capacities.csv.
        assertThat(truth.elasticity()).isCloseTo(RecordedCapacities.limit(kind).elasticity(),
                within(0.35 * RecordedCapacities.limit(kind).elasticity()));
    }

    @Test
    @Tag("soak")
    void a_server_whose_users_are_never_well_has_no_capacity() {
        var kind = ServerKinds.named("heavy32");

        // Its service time alone makes 0.66 of 1 % late.
        assertThat(PopulationTruth.find(kind)).isEmpty();
    }

    @Test
    void as_many_servers_are_measured_as_are_tuned_on_and_each_is_another() {
        var population = RecordedCapacities.population();

        assertThat(population).hasSize(2 * ServerPopulation.TUNING);
        assertThat(population).allSatisfy(kind -> assertThat(RecordedCapacities.of(kind)).isPositive());
        assertThat(population.stream().map(kind -> kind.limitSeconds() + " " + kind.service()).distinct().count())
                .isEqualTo(population.size());
        assertThat(RecordedCapacities.population()).isEqualTo(population);
    }

    @ParameterizedTest
    @EnumSource(value = Group.class, names = {"STEEP", "RETROGRADE"})
    void a_group_beside_the_population_has_servers_of_its_sort_alone(Group group) {
        var servers = RecordedCapacities.group(group);

        assertThat(servers).isNotEmpty();
        assertThat(servers).doesNotContainAnyElementsOf(RecordedCapacities.population());
        assertThat(servers).allSatisfy(kind -> {
            assertThat(group.contains(RecordedCapacities.of(kind), RecordedCapacities.limit(kind).elasticity()))
                    .isTrue();
            // A steep server's throughput may fall as well: its group is defined by how soon requests are late.
            assertThat(group == Group.STEEP || kind.contention().quadratic() > 0).isTrue();
        });
    }
}

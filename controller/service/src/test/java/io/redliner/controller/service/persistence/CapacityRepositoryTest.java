// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Filled;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.service.persistence.CapacityRepository.Filter;
import io.redliner.controller.service.persistence.CapacityRepository.Position;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** With 20 000 capacities of ten services, every question is answered from an index in its order. */
class CapacityRepositoryTest {

    private static final Scene SCENE = Scene.shared();

    private static final String SERVICE = SCENE.newService() + "-many";

    private static final Filled FILLED = new Filled(SCENE);

    private static final Position BEFORE = new Position(Instant.parse("2026-02-01T00:00:00Z"), 100_000_000);

    @BeforeAll
    static void fill() {
        for (int day = 0; day < 20; day++) {
            FILLED.capacity(SERVICE, "instance-" + day % 4 + ":1", day, 100, "v" + day % 3, "class-" + day % 2);
        }
        FILLED.copies(SERVICE, 250);
    }

    @AfterAll
    static void clear() {
        JdbcClient jdbc = SCENE.context().getBean(JdbcClient.class);
        for (int number = 0; number < 10; number++) {
            jdbc.sql("DELETE FROM capacity WHERE service = '" + SERVICE + "-" + number + "'").update();
            jdbc.sql("DELETE FROM run WHERE service = '" + SERVICE + "-" + number + "'").update();
        }
        jdbc.sql("ANALYZE capacity").update();
    }

    private static void usesIndex(Filter filter, String index) {
        String plan = FILLED.explained(CapacityRepository.historySql(filter), CapacityRepository.parameters(filter));

        assertThat(plan).contains("Index Scan using " + index + " on capacity this",
                "Index Scan using capacity_of_instance on capacity earlier").doesNotContain("Seq Scan", "Sort");
    }

    @Test
    void history_is_read_in_the_order_of_the_index_that_fits_the_question() {
        String service = SERVICE + "-7";
        Instant since = Instant.parse("2026-01-02T00:00:00Z");

        usesIndex(Filter.of(service, 21), "capacity_of_service");
        usesIndex(new Filter(service, null, null, null, since, BEFORE, 21), "capacity_of_service");
        usesIndex(new Filter(service, "instance-1:1", null, null, since, BEFORE, 21), "capacity_of_instance");
        usesIndex(new Filter(service, null, "v1", null, since, BEFORE, 21), "capacity_of_version");
        usesIndex(new Filter(service, null, null, "class-1", since, BEFORE, 21), "capacity_of_hardware");
    }

    @Test
    void the_newest_of_each_instance_are_found_without_reading_their_histories() {
        for (String sql : List.of(CapacityRepository.NEWEST_OF_EACH + " LIMIT :limit",
                CapacityRepository.NEWEST_OF_SERVICE)) {
            String plan = FILLED.explained(sql, Map.of("service", SERVICE + "-7", "instance", "", "limit", 21));

            assertThat(plan).contains("capacity_of_instance").doesNotContain("Seq Scan on capacity");
        }
        CapacityRepository queries = SCENE.context().getBean(CapacityRepository.class);
        assertThat(queries.newest(SERVICE + "-7", "", 100)).extracting(found -> found.record().instance())
                .containsExactly("instance-0:1", "instance-1:1", "instance-2:1", "instance-3:1");
        assertThat(queries.newest(SERVICE + "-7", "instance-1:1", 1)).extracting(found -> found.record().instance())
                .containsExactly("instance-2:1");
    }

    @Test
    void recent_capacities_are_read_by_the_index_of_an_instance_or_of_a_hardware_class() {
        String service = SERVICE + "-7";
        String plan = FILLED.explained(CapacityRepository.RECENT,
                Map.of("services", new String[]{service}, "each", 12));
        assertThat(plan).contains("capacity_of_instance", "capacity_of_hardware").doesNotContain("Seq Scan");
        CapacityRepository queries = SCENE.context().getBean(CapacityRepository.class);

        Map<String, List<CapacityRepository.Point>> recent = queries.recent(List.of(service, "no-such-service"), 12);

        assertThat(recent).containsOnlyKeys(service);
        List<Instant> times = recent.getOrDefault(service, List.of()).stream().map(CapacityRepository.Point::at)
                .toList();
        assertThat(times).hasSize(12).isSorted();
        assertThat(Duration.between(times.getFirst(), times.getLast())).isEqualTo(Duration.ofMinutes(110));
    }
}

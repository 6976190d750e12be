// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnreadableRowsTest {

    private final UnreadableRows rows = new UnreadableRows();

    private Optional<Integer> read(String name, String content) {
        return rows.read(UnreadableRows.Kind.PLAN, name, () -> Integer.parseInt(content));
    }

    @Test
    void a_row_that_cannot_be_read_is_left_out_counted_and_named_until_it_can_be() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        rows.bindTo(meters);

        assertThat(read("good", "1")).contains(1);
        assertThat(read("bad", "x")).isEmpty();
        assertThat(read("bad", "x")).isEmpty();
        assertThat(rows.named()).isEqualTo(Map.of("plan", List.of("bad")));
        assertThat(meters.get("redliner.controller.unreadable.rows").tag("kind", "plan").gauge().value()).isEqualTo(1);
        assertThat(meters.get("redliner.controller.unreadable.rows").tag("kind", "run").gauge().value()).isZero();

        assertThat(read("bad", "2")).contains(2);
        assertThat(rows.named()).isEmpty();
    }

    @Test
    void health_names_the_first_ten_of_a_kind() {
        IntStream.range(0, 30).forEach(number -> read("plan-" + number, "x"));

        assertThat(rows.named().get("plan")).hasSize(10);
        assertThat(rows.count(UnreadableRows.Kind.PLAN)).isEqualTo(30);
    }

    @Test
    void who_needs_the_row_learns_which_one_it_is() {
        assertThatThrownBy(() -> rows.require(UnreadableRows.Kind.SERIES, "s-1", () -> Integer.parseInt("x")))
                .isInstanceOf(UnreadableRowException.class)
                .hasMessageContaining("series s-1");
    }

    /** Of the numbers after a position, every third is unreadable. */
    private static List<Integer> page(int from, int limit, int last) {
        return Row.<Integer, Integer>page(from, limit, (after, rest) -> IntStream
                .rangeClosed(requireNonNull(after) + 1, last)
                .limit(rest)
                .mapToObj(
                        number -> new Row<>(number, number % 3 == 0 ? Optional.<Integer>empty() : Optional.of(number)))
                .toList());
    }

    @Test
    void a_page_is_short_only_where_the_rows_end() {
        assertThat(page(0, 4, 100)).containsExactly(1, 2, 4, 5);
        assertThat(page(5, 4, 100)).containsExactly(7, 8, 10, 11);
        assertThat(page(97, 4, 100)).containsExactly(98, 100);
        assertThat(page(0, 4, 3)).containsExactly(1, 2);
        assertThat(page(0, 1, 0)).isEmpty();
    }
}

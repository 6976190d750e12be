// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.redliner.controller.core.sizing.FleetSizing.SizingResult;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FleetSizingTest {

    private static BigDecimal number(String text) {
        return new BigDecimal(text);
    }

    private static Demand demand(String target, String headroom, int domains, boolean survive) {
        return new Demand(number(target), number(headroom), domains, survive, number(headroom));
    }

    @Test
    void a_hundred_thousand_requests_at_a_hundred_each_are_a_thousand_instances() throws Exception {
        SizingResult size = FleetSizing.size(number("100"), List.of(), Demand.of(number("100000")));

        assertThat(size.instances()).isEqualTo(1000);
        assertThat(size.perDomain()).containsExactly(1000L);
        assertThat(size.normal()).isEqualTo(new SizingResult.Working(1000, 100, 100, 1));
        assertThat(size.loss()).isNull();
    }

    @Test
    void a_tenth_too_much_is_one_instance_more_and_decimals_are_exact() throws Exception {
        assertThat(FleetSizing.size(number("100"), List.of(), Demand.of(number("100000.1"))).instances())
                .isEqualTo(1001);
        assertThat(FleetSizing.size(number("0.1"), List.of(), Demand.of(number("0.3"))).instances()).isEqualTo(3);
        assertThat(FleetSizing.size(number("100"), List.of(), demand("70", "0.3", 1, false)).instances()).isOne();
    }

    @Test
    void the_largest_of_three_domains_may_be_lost_with_the_headroom_kept() throws Exception {
        SizingResult size = FleetSizing.size(number("100"), List.of(), demand("1000", "0.3", 3, true));

        assertThat(size.instances()).isEqualTo(23);
        assertThat(size.perDomain()).containsExactly(8L, 8L, 7L);
        assertThat(size.normal().limit()).isEqualTo(70);
        assertThat(size.normal().load()).isCloseTo(1000.0 / 23, within(1e-9));
        SizingResult.Working loss = Objects.requireNonNull(size.loss());
        assertThat(loss.instances()).isEqualTo(15);
        assertThat(loss.load()).isCloseTo(1000.0 / 15, within(1e-9)).isLessThan(loss.limit());
    }

    @Test
    void the_headroom_may_be_used_up_when_a_domain_is_lost() throws Exception {
        SizingResult size = FleetSizing.size(number("100"), List.of(),
                new Demand(number("1000"), number("0.3"), 3, true, BigDecimal.ZERO));

        assertThat(size.instances()).isEqualTo(15);
        assertThat(Objects.requireNonNull(size.loss()).utilisation()).isEqualTo(1);
    }

    @Test
    void what_is_there_of_another_class_is_counted_with_its_lower_bound() throws Exception {
        List<InstanceGroup> large = List.of(new InstanceGroup("large", number("300"), 2));

        assertThat(FleetSizing.size(number("100"), large, Demand.of(number("1000"))).instances()).isEqualTo(4);
        assertThat(FleetSizing.size(number("100"), large, Demand.of(number("600"))).instances()).isZero();
    }

    @Test
    void the_impossible_is_refused_with_a_reason() {
        assertThatThrownBy(() -> FleetSizing.size(number("100"), List.of(), demand("100", "0", 1, true)))
                .isInstanceOf(ImpossibleSizingException.class)
                .hasMessageContaining("1 failure domain");
        assertThatThrownBy(() -> FleetSizing.size(BigDecimal.ZERO, List.of(), Demand.of(number("100"))))
                .isInstanceOf(ImpossibleSizingException.class)
                .hasMessageContaining("0 requests/s");
        assertThatThrownBy(() -> FleetSizing.size(number("0.000001"), List.of(), Demand.of(number("1000000000"))))
                .isInstanceOf(ImpossibleSizingException.class)
                .hasMessageContaining("1000000000 instances");
        assertThatThrownBy(() -> demand("0", "0", 1, false)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> demand("1", "1", 1, false)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Against plain counting: the number is enough, and one fewer is not. */
    @Test
    void is_the_smallest_number_that_is_enough_for_any_input() throws Exception {
        Random random = new Random(11);
        for (int round = 0; round < 5000; round++) {
            BigDecimal low = BigDecimal.valueOf(1 + random.nextInt(500), 1);
            BigDecimal headroom = BigDecimal.valueOf(random.nextInt(95), 2);
            int domains = 1 + random.nextInt(6);
            boolean survive = domains > 1 && random.nextBoolean();
            BigDecimal atLoss = random.nextBoolean() ? headroom : BigDecimal.valueOf(random.nextInt(95), 2);
            Demand demand = new Demand(BigDecimal.valueOf(1 + random.nextInt(20_000), 1), headroom, domains, survive,
                    atLoss);
            List<InstanceGroup> others = new ArrayList<>();
            for (int number = random.nextInt(3); number > 0; number--) {
                others.add(new InstanceGroup("other", BigDecimal.valueOf(1 + random.nextInt(300)), random.nextInt(12)));
            }

            SizingResult size = FleetSizing.size(low, others, demand);

            assertThat(enough(size.instances(), low, others, demand)).as("%s %s %s", low, others, demand).isTrue();
            assertThat(size.instances() > 0 && enough(size.instances() - 1, low, others, demand))
                    .as("one fewer of %s: %s %s %s", size, low, others, demand)
                    .isFalse();
            assertThat(size.perDomain().stream().mapToLong(Long::longValue).sum()).isEqualTo(size.instances());
            assertThat(size.perDomain().getFirst() - size.perDomain().getLast()).isBetween(0L, 1L);
        }
    }

    private static boolean enough(long instances, BigDecimal low, List<InstanceGroup> others, Demand demand) {
        List<InstanceGroup> all = new ArrayList<>(others);
        all.add(new InstanceGroup("own", low, instances));
        return holds(all, 0, demand.headroom(), demand)
                && (!demand.surviveLoss() || holds(all, demand.domains(), demand.headroomAtLoss(), demand));
    }

    private static boolean holds(List<InstanceGroup> all, int lostOf, BigDecimal headroom, Demand demand) {
        BigDecimal usable = BigDecimal.ZERO;
        for (InstanceGroup holding : all) {
            long lost = lostOf == 0 ? 0 : Math.ceilDiv(holding.instances(), lostOf);
            usable = usable.add(holding.low()
                    .multiply(BigDecimal.ONE.subtract(headroom))
                    .multiply(BigDecimal.valueOf(holding.instances() - lost)));
        }
        return usable.compareTo(demand.target()) >= 0;
    }
}

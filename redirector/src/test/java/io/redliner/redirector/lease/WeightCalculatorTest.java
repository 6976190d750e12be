// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.contract.redirect.RoutingAttribute;
import io.redliner.contract.redirect.Share;
import io.redliner.redirector.routing.Instance;
import io.redliner.redirector.routing.RouteLayout;
import io.redliner.redirector.routing.Service;
import io.redliner.redirector.routing.WeightCalculator;
import io.redliner.redirector.routing.WeightCalculator.Group;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WeightCalculatorTest {

    private static final Redirect MODULO = new Redirect(RedirectMode.MODULO,
            new RoutingAttribute(RoutingAttribute.Source.HEADER, "x-user-id"), 1_000, List.of());

    private static RouteLayout.SplitClusters test(Redirect redirect, int rotation, int ppm) {
        return new RouteLayout.SplitClusters(Examples.SUT.address(), redirect, rotation, new Share(ppm));
    }

    /** The users that come to the SUT, as a proxy chooses: by walking the clusters in their order. */
    private static Set<Integer> users(RouteLayout.SplitClusters layout, int ppm) {
        Map<Group, Integer> weights = WeightCalculator.weights(layout, new Share(ppm));
        Set<Integer> users = new HashSet<>();
        int from = 0;
        for (Group group : WeightCalculator.groups(layout.redirect())) {
            int to = from + weights.getOrDefault(group, 0);
            if (group == Group.SUT || group == Group.SUT_WRAPPED) {
                IntStream.range(from, to).forEach(users::add);
            }
            from = to;
        }
        assertThat(from).isEqualTo(layout.redirect().parts());
        return users;
    }

    @Test
    void split_gives_the_rest_to_the_peers() {
        assertThat(WeightCalculator.weights(test(Redirect.SPLIT, 0, 0), new Share(100)))
                .isEqualTo(Map.of(Group.FLEET, 0, Group.SUT, 100, Group.PEERS, 999_900));
    }

    @Test
    void nobody_leaves_the_sut_while_the_share_grows_and_nobody_comes_while_it_shrinks() {
        Random random = new Random(4);
        for (int i = 0; i < 200; i++) {
            RouteLayout.SplitClusters layout = test(MODULO, random.nextInt(Share.WHOLE_PPM), 0);
            Set<Integer> before = Set.of();
            for (int ppm = 0; ppm <= Share.WHOLE_PPM; ppm += 50_000) {
                Set<Integer> users = users(layout, ppm);
                assertThat(users).hasSize(ppm / 1_000);
                // AssertJ's containsAll compares each with each.
                assertThat(users.containsAll(before)).as("everybody of %s in %s", before, users).isTrue();
                before = users;
            }
        }
    }

    @Test
    void over_many_runs_everybody_is_chosen_equally_often() {
        int[] chosen = new int[1_000];
        int runs = 4_000;
        for (int run = 0; run < runs; run++) {
            users(test(MODULO, RouteLayout.rotation("run-" + run), 0), 300_000).forEach(user -> chosen[user]++);
        }
        // Six standard deviations of the binomial distribution.
        double bound = 6 * Math.sqrt(runs * 0.3 * 0.7);
        assertThat(chosen).satisfies(counts -> {
            for (int count : counts) {
                assertThat((double) count).isBetween(runs * 0.3 - bound, runs * 0.3 + bound);
            }
        });
    }

    @Test
    void endpoint_weights_raise_the_sut_and_keep_the_proportions_of_the_others() {
        // given one peer of weight 2 among those of weight 1
        List<Instance> instances = new ArrayList<>(Examples.SERVICE.instances());
        instances.set(0, new Instance(Examples.PEER.address(), 2));
        Service service = Examples.SERVICE.with(instances);
        Redirect redirect = new Redirect(RedirectMode.ENDPOINT_WEIGHT, null, null, List.of());

        // then
        assertThat(WeightCalculator.endpoints(service, test(redirect, 0, 200_000), Group.WEIGHTED))
                .extracting(WeightCalculator.Endpoint::weight).containsExactly(400_000, 200_000, 200_000, 200_000);
        assertThat(WeightCalculator.endpoints(service, test(redirect, 0, 0), Group.WEIGHTED))
                .extracting(endpoint -> endpoint.instance().address()).doesNotContain(Examples.SUT.address());
        assertThat(WeightCalculator.endpoints(service, test(redirect, 0, 1_000_000), Group.WEIGHTED))
                .extracting(WeightCalculator.Endpoint::instance).containsExactly(Examples.SUT);
        assertThat(WeightCalculator.endpoints(service, test(redirect, 0, 200_000), Group.FLEET))
                .extracting(WeightCalculator.Endpoint::weight).containsExactly(2, 1, 1, 1);
    }
}

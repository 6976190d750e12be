// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.bottleneck;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.analyzer.runstats.World;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NamedPartsTest {

    private final Random random = new Random(3);

    @Test
    void a_finding_names_its_monitor_after_many_methods_ran_at_rest() {
        var run = new World(1).gauges(load -> {
            var gauges = new HashMap<>(
                    Map.of("cpu", 0.1, "memory", 0.4, "pool.busy", 0.2, "net.link", 0.1, anyMethod(), 1.0));
            double blocked = Math.max(0, load / World.FULL - 0.5) * 30;
            gauges.put("threads.blocked", blocked);
            if (load > 200) {
                gauges.put("threads.blocked[Account held in Shop.sell]", blocked);
                gauges.put("threads.blocked[Lock held in " + random.nextInt(30) + "]", 0.1);
            }
            return gauges;
        }).run();

        assertThat(BottleneckAnalyzer.of(run, true).getFirst().message())
                .contains("most for Account held in Shop.sell");
    }

    @Test
    void a_finding_names_the_method_that_runs_under_load_after_many_others_ran_at_rest() {
        var run = new World(1)
                .gauges(load -> Map.of("cpu", 0.98 * load / World.FULL, "memory", 0.4, "threads.blocked", 0.0,
                        load < 250 ? anyMethod() : "threads.runnable[Parser.parse]", 1.0))
                .run();

        assertThat(BottleneckAnalyzer.of(run, true).getFirst().message())
                .contains("most often in Parser.parse (in 100 % of the windows)");
    }

    private String anyMethod() {
        return "threads.runnable[Handler" + random.nextInt(30) + ".run]";
    }
}

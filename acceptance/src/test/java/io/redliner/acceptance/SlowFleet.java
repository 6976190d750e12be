// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import io.redliner.standalone.demo.InstanceModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A fleet like the demo's: four instances, of which the third has half the workers of the others. Its service times and the limit
 * of its SLA are several times as long, so that the pauses of a busy machine, of some 40 ms, are little beside them.
 *
 * @param odd the instance with half the workers
 * @param requestsPerSecond of the whole service, in the demo's proportion to the instances
 * @param limit of the latency's 99th percentile
 */
record SlowFleet(InstanceModel odd, double requestsPerSecond, Duration limit) {

    /** Four times as slow as the demo's, with its workers: a quarter of its requests/s. */
    static final SlowFleet QUARTER_RATE = new SlowFleet(new InstanceModel(6, Duration.ofMillis(80), 0.4, 100), 175,
            Duration.ofMillis(800));

    /** Of the plan {@code capacity} of the examples. */
    static final double MAX_SHARE = 0.60;

    private static final Path EXAMPLES = Path.of("..", "deploy", "examples").toAbsolutePath().normalize();

    private static final int ODD_POSITION = 2;

    OwnService service(String name) {
        OwnService.Member ordinary = new OwnService.Member(new InstanceModel(2 * odd.workers(), odd.meanServiceTime(),
                odd.sigma(), 2 * odd.queueLimit()), 1);
        return new OwnService(name, requestsPerSecond,
                List.of(ordinary, ordinary, new OwnService.Member(odd, 1), ordinary));
    }

    String oddInstance(OwnService service) {
        return service.instance(ODD_POSITION);
    }

    String roomyInstance(OwnService service) {
        return service.instance(0);
    }

    /** A plan of {@code deploy/examples} for this service, with this limit, and with windows that a busy machine fills in time. */
    String example(String name, OwnService service) throws IOException {
        return Files.readString(example(name)).replace("shop-backend", service.name())
                .replace("'200ms'", "'" + limit.toMillis() + "ms'").replace("window: 500ms", "window: 1s");
    }

    static Path example(String name) {
        return EXAMPLES.resolve(name + ".yaml");
    }
}

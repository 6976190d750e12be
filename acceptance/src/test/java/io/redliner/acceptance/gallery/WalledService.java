// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.gallery;

import static org.awaitility.Awaitility.await;

import io.redliner.embedded.FreePort;
import io.redliner.standalone.demo.DemoFleet;
import io.redliner.standalone.demo.DemoTraffic;
import io.redliner.standalone.demo.InstanceModel;
import io.redliner.testkit.PlanText;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

/** A service whose first instance has a wall, which its users reach when a run sends most of them there. */
public final class WalledService implements AutoCloseable {

    private static final double REQUESTS_PER_SECOND = 130;

    /** Takes a third of the traffic, or nearly all of it when the instance under test gets little, without waiting. */
    private static final InstanceModel ROOMY = new InstanceModel(60, Duration.ofMillis(20), 0.3, 500);

    private static final int MAX_WAITING = 1_000;

    private static final Duration START = Duration.ofMinutes(2);

    private final WalledProcess server;

    private final DemoFleet peers = DemoFleet.start(Collections.nCopies(2, ROOMY), 1);

    private final Place place;

    private final DemoTraffic traffic;

    /** Where the users and the instance under test of a service are, before it is started. */
    public record Place(String service, Wall wall, int users, String instance) {

        /** Returns a place on free ports. */
        public static Place free(String service, Wall wall) {
            return new Place(service, wall, FreePort.next(), wall.host() + ":" + FreePort.next());
        }

        /**
         * Returns the settings with which a collector reads the instance's metrics, where it has any.
         *
         * @param number of its entry, from 0
         */
        public Map<String, String> settings(int number) {
            String entry = "redliner.collector.instances[" + number + "].";
            Map<String, String> settings = new HashMap<>(
                    Map.of(entry + "service", service, entry + "address", instance));
            if (wall.hasMetrics()) {
                settings.put("redliner.collector.scrape.enabled", "true");
                settings.put("redliner.collector.scrape.interval", "1s");
                settings.put("redliner.collector.scrape.timeout", "900ms");
                settings.put(entry + "scrape", "http://" + instance + "/metrics");
            }
            wall.linkMegabits().ifPresent(speed -> settings.put(entry + "link-megabits", Integer.toString(speed)));
            return settings;
        }

        private InetSocketAddress address() {
            URI uri = URI.create("http://" + instance);
            return new InetSocketAddress(uri.getHost(), uri.getPort());
        }
    }

    /** Starts its instances. Its users come with {@link #awaitAnswers()}. */
    public WalledService(Place place, Path folder) throws IOException {
        this.place = place;
        this.server = place.wall.start(folder, place.address().getPort());
        this.traffic = new DemoTraffic(URI.create("http://127.0.0.1:" + place.users + place.wall.path()),
                REQUESTS_PER_SECOND, 1,
                MAX_WAITING);
    }

    /** In the services file. */
    public String entry() {
        return """
                  - name: %s
                    listen: "127.0.0.1:%d"
                    instances: ["%s", "%s"]
                """.formatted(place.service, place.users, place.instance,
                String.join("\", \"", peers.addresses()));
    }

    /** A plan with the service's name that finds the capacity. */
    public String plan() {
        return PlanText.of(place.service, place.instance,
                "sla: [{name: latency, expr: \"latency.p95 <= duration('" + place.wall.latencyLimit() + "ms')\"},"
                        + " {name: errors, expr: \"error_rate <= 0.01\"}]",
                "limits: {maxShare: 90%, maxRaise: 1.5x, maxDuration: 6m, harmBudget: 20%, window: 1s}");
    }

    /** Lets the users come, once a proxy serves the entry, and waits until twenty seconds of them were answered. */
    public void awaitAnswers() {
        server.awaitListening(place.address());
        traffic.start();
        await("answers").atMost(START).until(() -> traffic.succeeded() > 20 * REQUESTS_PER_SECOND);
    }

    @Override
    public void close() throws IOException {
        traffic.close();
        peers.close();
        server.close();
    }
}

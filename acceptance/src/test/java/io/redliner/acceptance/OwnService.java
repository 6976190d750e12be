// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import static org.awaitility.Awaitility.await;

import io.redliner.embedded.FreePort;
import io.redliner.standalone.demo.DemoFleet;
import io.redliner.standalone.demo.DemoTraffic;
import io.redliner.standalone.demo.InstanceModel;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A service that a test made for itself: its instances, its users, and its entry in the services file. */
public final class OwnService implements AutoCloseable {

    private static final long SEED = 17;

    /** Requests that are answered before a test: connections are there then. */
    private static final int WARM_UP = 300;

    /** When the machine stands still, the users of several services keep their connections below what a process may open. */
    private static final int MAX_WAITING = 1_000;

    private static final Duration READY_TIMEOUT = Duration.ofMinutes(2);

    /** An instance, and how much of the natural traffic it gets, relative to the others. */
    public record Member(InstanceModel model, int weight) {}

    /** Mean time to an answer, in s, above which the machine is still busy with what it does for the first time. */
    private static final double MAX_MEAN_SECONDS = 0.2;

    private static final int FEW = 20;

    private static final Duration STEADY_FOR = Duration.ofSeconds(3);

    private final String name;

    private final double requestsPerSecond;

    private final List<Member> members;

    private final DemoFleet fleet;

    private final int port = FreePort.next();

    private final DemoTraffic traffic;

    private boolean warm;

    /** Starts its instances and its users. */
    public OwnService(String name, double requestsPerSecond, List<Member> members) {
        this.name = name;
        this.requestsPerSecond = requestsPerSecond;
        this.members = members;
        this.fleet = DemoFleet.start(members.stream().map(Member::model).toList(), SEED);
        this.traffic = new DemoTraffic(address(), requestsPerSecond, SEED, MAX_WAITING);
        traffic.start();
    }

    /** As in the services file. */
    public String name() {
        return name;
    }

    /** Where its users find it. */
    URI address() {
        return URI.create("http://127.0.0.1:" + port + "/");
    }

    DemoFleet fleet() {
        return fleet;
    }

    DemoTraffic traffic() {
        return traffic;
    }

    /** host:port */
    public String instance(int position) {
        return fleet.addresses().get(position);
    }

    /** In the services file. */
    public String entry() {
        return entry(members.size());
    }

    /** With the first ones of its instances only. */
    String entry(int instances) {
        StringBuilder entry = new StringBuilder("  - name: " + name + "\n    listen: \"127.0.0.1:" + port
                + "\"\n    timeout: 15s\n    instances:\n");
        for (int position = 0; position < instances; position++) {
            entry.append("      - {address: \"").append(instance(position)).append("\", weight: ")
                    .append(members.get(position).weight()).append("}\n");
        }
        return entry.toString();
    }

    /**
     * Waits until users are served and the controller knows a connected proxy and no live run; at first also until answers come
     * soon.
     */
    public void awaitReady(ApiClient controller) {
        long before = warm ? traffic.succeeded() : WARM_UP;
        await("answers for users").atMost(READY_TIMEOUT).until(() -> traffic.succeeded() > before);
        await("a free service with a connected proxy").atMost(READY_TIMEOUT).until(
                () -> isFree(name, controller.get("/services")));
        if (!warm) {
            // By Little's law.
            await("answers that come soon").atMost(READY_TIMEOUT).during(STEADY_FOR)
                    .until(() -> traffic.waiting() < FEW + MAX_MEAN_SECONDS * requestsPerSecond);
            warm = true;
        }
    }

    /** Whether a service is known, by the controller's list of services, has a proxy, and no run is live on it. */
    static boolean isFree(String name, JsonNode services) {
        return services.path("items").valueStream().anyMatch(item -> item.path("name").asString().equals(name)
                && item.path("fresh").asBoolean() && !item.path("proxies").isEmpty() && !item.hasNonNull("liveRun"));
    }

    /** The part of the requests that follow which arrives at an instance, whatever RedLiner says. */
    public double shareOfNext(int requests, String instance) {
        Map<String, Long> before = fleet.arrivals();
        long from = total(before);
        await().atMost(Duration.ofMinutes(1)).until(() -> total(fleet.arrivals()) >= from + requests);
        Map<String, Long> after = fleet.arrivals();
        return (double) (after.getOrDefault(instance, 0L) - before.getOrDefault(instance, 0L)) / (total(after) - from);
    }

    private static long total(Map<String, Long> arrivals) {
        return arrivals.values().stream().mapToLong(Long::longValue).sum();
    }

    @Override
    public void close() {
        traffic.close();
        fleet.close();
    }
}

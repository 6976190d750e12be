// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import io.redliner.cli.client.ControllerClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The demo's service behind the proxy: four instances, of which the third has half the workers of the others, an SLA, and 700
 * requests/s of traffic.
 */
public final class DemoService {

    /** The service's name. */
    public static final String NAME = "shop-backend";

    /** Requests/s of the whole service. */
    public static final double TRAFFIC = 700;

    private static final InstanceModel ORDINARY = new InstanceModel(12, Duration.ofMillis(20), 0.4, 200);

    private static final InstanceModel ODD = new InstanceModel(6, Duration.ofMillis(20), 0.4, 100);

    private static final List<InstanceModel> MODELS = List.of(ORDINARY, ORDINARY, ODD, ORDINARY);

    private static final int ODD_POSITION = MODELS.indexOf(ODD);

    private static final Duration P99_LIMIT = Duration.ofMillis(200);

    private static final double ERROR_LIMIT = 0.001;

    private static final long SEED = 17;

    private final DemoFleet fleet;

    private final URI proxy;

    private DemoService(DemoFleet fleet, URI proxy) {
        this.fleet = fleet;
        this.proxy = proxy;
    }

    /**
     * Starts the fleet on the loopback interface.
     *
     * @param port the TCP port on which the proxy is to listen for the service
     */
    public static DemoService start(int port) {
        return new DemoService(DemoFleet.start(MODELS, SEED), URI.create("http://127.0.0.1:" + port + "/"));
    }

    /**
     * Starts the fleet where a proxy elsewhere finds it.
     *
     * @param host an address of this machine
     * @param firstPort TCP port of the first instance, the others have those after it
     * @param proxy where users send their requests
     */
    public static DemoService start(InetAddress host, int firstPort, URI proxy) {
        return new DemoService(DemoFleet.start(MODELS, SEED, host, firstPort), proxy);
    }

    /** Returns the instances. */
    public DemoFleet fleet() {
        return fleet;
    }

    /** host:port of the instance that differs from the others. */
    public String oddInstance() {
        return fleet.addresses().get(ODD_POSITION);
    }

    /**
     * Reports the hardware of each instance to a controller, {@code small} for the one with half the workers and {@code large}
     * for the others, so that plans can choose it without knowing its address.
     */
    public void describeTo(ControllerClient controller) throws IOException, InterruptedException {
        for (String address : fleet.addresses()) {
            String hardware = address.equals(oddInstance()) ? "small" : "large";
            controller.put("/api/v1/services/" + NAME + "/instances/" + address, "application/json",
                    controller.object().put("hardware", hardware).toString());
        }
    }

    /** Returns whether a controller knows the service and a proxy of it. */
    public static boolean isReady(ControllerClient controller) throws IOException, InterruptedException {
        return controller.get("/api/v1/services").path("items").valueStream()
                .anyMatch(item -> item.path("name").asString().equals(NAME) && item.path("fresh").asBoolean()
                        && !item.path("proxies").isEmpty());
    }

    /** Returns the address to which users send their requests: the proxy. */
    public URI address() {
        return proxy;
    }

    /** Returns the true capacity of the odd instance under the plan's SLA, requests/s. */
    public double constructedCapacity() {
        return new TrueCapacity(ODD, P99_LIMIT, ERROR_LIMIT).requestsPerSecond();
    }

    /** Returns the users, who do not send yet. */
    public DemoTraffic traffic() {
        return traffic(TRAFFIC);
    }

    /**
     * Other users, who do not send yet.
     *
     * @param rate requests/s of all of them
     */
    public DemoTraffic traffic(double rate) {
        return new DemoTraffic(address(), rate, SEED);
    }

    /** Returns the collector's settings that have it scrape the instances: only those know how busy their workers are. */
    public Map<String, String> collectorSettings() {
        Map<String, String> settings = new HashMap<>(
                Map.of("redliner.collector.scrape.enabled", "true", "redliner.collector.scrape.interval", "1s",
                        "redliner.collector.scrape.timeout", "1s"));
        List<String> addresses = fleet.addresses();
        for (int instance = 0; instance < addresses.size(); instance++) {
            String entry = "redliner.collector.instances[" + instance + "].";
            settings.put(entry + "service", NAME);
            settings.put(entry + "address", addresses.get(instance));
            settings.put(entry + "scrape", "http://" + addresses.get(instance) + "/metrics");
        }
        return settings;
    }

    /** Writes the services file for the redirector. */
    public Path writeServicesFile(Path folder) {
        String instances = fleet.addresses().stream().map(address -> "      - \"" + address + "\"\n")
                .collect(Collectors.joining());
        String text = "services:\n  - name: " + NAME + "\n    listen: \"127.0.0.1:" + proxy.getPort()
                + "\"\n    timeout: 15s\n    instances:\n" + instances;
        try {
            return Files.writeString(Files.createDirectories(folder).resolve("services.yaml"), text);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write the services file", e);
        }
    }

    /** Returns the plan that tests the odd instance, YAML. */
    public String plan() {
        try (InputStream template = Objects.requireNonNull(DemoService.class.getResourceAsStream("plan.yaml"))) {
            return new String(template.readAllBytes(), StandardCharsets.UTF_8).replace("${service}", NAME)
                    .replace("${sut}", oddInstance()).replace("${limit}", Long.toString(P99_LIMIT.toMillis()))
                    .replace("${errors}", Double.toString(ERROR_LIMIT));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the demo's plan", e);
        }
    }
}

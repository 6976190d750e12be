// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.contract.redirect.Share;
import io.redliner.controller.plan.DurationText;
import io.redliner.controller.plan.Plan;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The files of the first capacity test of a service: its services file and its plan.
 *
 * @param instances two or more of {@code IP:port}; the first one is tested
 * @param listen where clients send their requests
 * @param latency limit of the 99th percentile
 * @param maxShare of the requests that the tested instance gets
 */
record StarterFiles(String service, List<String> instances, String listen, String latency, String maxShare) {

    private static final int MAX_NAME = 100;

    private static final int MAX_PLAN_NAME = 50;

    private static final int MAX_PORT = 65_535;

    private static final int MAX_OCTET = 255;

    private static final Pattern ADDRESS = Pattern
            .compile("(?:(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})|(\\[[0-9A-Fa-f:.]+\\])):(\\d{1,5})");

    /** The usual largest share in percent for a number of instances, as a multiple of the natural one. */
    private static final int USUAL_FACTOR = 240;

    private static final int MAX_USUAL_SHARE = 90;

    static String requireService(String text) {
        if (text.length() > MAX_NAME) {
            throw new IllegalArgumentException("has more than " + MAX_NAME + " letters");
        }
        return Plan.requireService(text);
    }

    static List<String> instances(String text) {
        List<String> instances = Stream.of(text.split("[,\\s]+", -1)).filter(part -> !part.isEmpty())
                .map(part -> address(part)).toList();
        if (instances.size() < 2) {
            throw new IllegalArgumentException(
                    "names fewer than two instances: what the tested one does not get, another has to take");
        }
        if (instances.stream().distinct().count() < instances.size()) {
            throw new IllegalArgumentException("names an instance twice");
        }
        return instances;
    }

    static String address(String text) {
        Matcher address = ADDRESS.matcher(text);
        if (!address.matches() || !isPort(Integer.parseInt(address.group(6))) || !isHost(address)) {
            throw new IllegalArgumentException(
                    "is no address: write it as 10.0.0.1:8080 or [2001:db8::1]:8080; host names"
                            + " go into the services file later, as dns");
        }
        return text;
    }

    private static boolean isPort(int port) {
        return port >= 1 && port <= MAX_PORT;
    }

    private static boolean isHost(Matcher address) {
        if (address.group(5) == null) {
            return Stream.of(1, 2, 3, 4).allMatch(octet -> Integer.parseInt(address.group(octet)) <= MAX_OCTET);
        }
        try {
            // A name in brackets is not looked up.
            return InetAddress.getByName(address.group(5)) != null;
        } catch (UnknownHostException malformed) {
            return false;
        }
    }

    static String requireFree(String listen, List<String> instances) {
        if (instances.contains(listen)) {
            throw new IllegalArgumentException("is an instance: the proxy listens at an address of its own");
        }
        return listen;
    }

    static String requireDuration(String text) {
        return DurationText.write(DurationText.parse(text));
    }

    static String requireShare(String text, int instances) {
        double share = Share.parse(text).ratio();
        if (share <= 1.0 / instances) {
            throw new IllegalArgumentException("is not above the natural share of one of " + instances
                    + " instances, " + Math.round(100.0 / instances) + "%");
        }
        return text;
    }

    static String usualShare(int instances) {
        return Math.min(MAX_USUAL_SHARE, USUAL_FACTOR / instances + 1) + "%";
    }

    String servicesFile() {
        return """
                # Redirectors read it: docs/integration/services-file.md has all fields.
                services:
                  - name: "%s"
                    listen: "%s"
                    instances: [%s]
                """.formatted(service, listen,
                instances.stream().map(instance -> '"' + instance + '"').collect(Collectors.joining(", ")));
    }

    String plan() {
        return """
                # docs/controller/plans.md has all sections; redliner validate says what is wrong.
                apiVersion: redliner.io/v1
                kind: CapacityTest
                metadata: {name: %s}
                spec:
                  service: "%s"
                  sut: {instance: "%s"}
                  sla:
                    - {name: latency, expr: "latency.p99 <= duration('%s')"}
                    - {name: errors, expr: "error_rate <= 0.01"}
                  guards:
                    - {name: fleet-errors, expr: "service.error_rate <= 0.05"}
                  # The harm budget is a part of all requests of the service in maxDuration.
                  limits: {maxShare: %s, maxRaise: 1.5x, maxDuration: 10m, harmBudget: 0.5%%, window: 1s}
                """.formatted(planName(), service, instances.getFirst(), latency, maxShare);
    }

    private String planName() {
        String letters = service.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]", "-");
        return letters.substring(0, Math.min(MAX_PLAN_NAME, letters.length())) + "-capacity";
    }
}

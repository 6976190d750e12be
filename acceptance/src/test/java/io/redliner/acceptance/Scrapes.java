// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import io.redliner.standalone.stack.StackComponent;
import io.redliner.standalone.stack.StandaloneStack;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metrics that the components of a stack expose to Prometheus: names with their labels, over several scrapes. */
final class Scrapes implements AutoCloseable {

    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][\\w:]*)(?:\\{(.*)})? \\S+");

    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_]\\w*)=\"(?:[^\"\\\\]|\\\\.)*\"");

    private final HttpClient client = HttpClient.newHttpClient();

    private final Map<String, Set<String>> seen = new TreeMap<>();

    /** Adds what all components have now. */
    void look(StandaloneStack stack) throws IOException, InterruptedException {
        for (StackComponent component : StackComponent.values()) {
            HttpRequest request = HttpRequest.newBuilder(stack.http(component).resolve("/actuator/prometheus")).build();
            client.send(request, BodyHandlers.ofString()).body().lines().filter(line -> !line.startsWith("#"))
                    .forEach(this::take);
        }
    }

    private void take(String line) {
        Matcher sample = SAMPLE.matcher(line);
        if (!sample.matches()) {
            throw new IllegalArgumentException("no sample: " + line);
        }
        Set<String> labels = seen.computeIfAbsent(sample.group(1), any -> new TreeSet<>());
        if (sample.group(2) != null) {
            LABEL.matcher(sample.group(2)).results().forEach(label -> labels.add(label.group(1)));
        }
    }

    Map<String, Set<String>> seen() {
        return seen;
    }

    @Override
    public void close() {
        client.close();
    }
}

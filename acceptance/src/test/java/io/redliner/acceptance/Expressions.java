// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** What the dashboards and alert rules ask Prometheus, and which metrics and labels of ours that takes. */
final class Expressions {

    private static final Path DEPLOY = Path.of("..", "deploy");

    /** Metrics that Prometheus makes itself, labels that the scrape puts on everything, and what rules record. */
    private static final Set<String> NOT_OURS = Set.of("up", "ALERTS");

    private static final Set<String> LABELS_OF_TARGETS = Set.of("room", "instance", "job", "pod", "namespace");

    private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool", "offset", "by", "on", "without",
            "ignoring", "group_left", "group_right", "inf", "nan");

    private static final Pattern SELECTOR = Pattern.compile("([a-zA-Z_:][\\w:]*)\\s*\\{([^}]*)}");

    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_]\\w*)\\s*(=~|!~|!=|=)");

    private static final Pattern GROUPING = Pattern.compile("\\b(by|on|without|ignoring)\\s*\\(([^)]*)\\)");

    private static final Pattern NAME = Pattern.compile("(?<![\\w:$.])([a-zA-Z_:][\\w:]*)(?!\\s*\\()(?![\\w:])");

    private static final Pattern QUERY = Pattern.compile("label_values\\(([a-z_]+)(?:\\{(.*)})?, (\\w+)\\)");

    private final Map<String, Set<String>> labels = new TreeMap<>();

    private final List<Grouping> groupings = new ArrayList<>();

    /** Labels that an expression groups by: each has to be one of at least one of its metrics. */
    record Grouping(String expression, Set<String> metrics, Set<String> labels) {}

    /** All of {@code deploy/grafana} and {@code deploy/prometheus}. */
    static Expressions ofDeployment() throws IOException {
        Expressions all = new Expressions();
        rules(Files.readAllLines(DEPLOY.resolve("prometheus/redliner-rules.yaml"))).forEach(all::add);
        try (Stream<Path> dashboards = Files.list(DEPLOY.resolve("grafana"))) {
            for (Path file : dashboards.filter(one -> one.toString().endsWith(".json")).toList()) {
                JsonNode dashboard = new ObjectMapper().readTree(Files.readString(file));
                dashboard.findValuesAsString("expr").forEach(all::add);
                dashboard.findValuesAsString("definition").forEach(all::addQuery);
            }
        }
        return all;
    }

    /** Names of metrics with the labels that selectors name. */
    Map<String, Set<String>> selected() {
        return labels;
    }

    List<Grouping> groupings() {
        return groupings;
    }

    /** The name under which a component has this label: Prometheus renames ours when the target has one of that name. */
    private static String ours(String label) {
        return label.startsWith("exported_") ? label.substring("exported_".length()) : label;
    }

    void add(String expression) {
        String rest = expression.replaceAll("\"[^\"]*\"|'[^']*'", "\"\"").replaceAll("\\[[^]]*]", " ")
                .replaceAll("\\boffset\\s+\\w+", " ");
        Set<String> grouped = new TreeSet<>();
        Matcher grouping = GROUPING.matcher(rest);
        while (grouping.find()) {
            Stream.of(grouping.group(2).split(",")).map(String::strip).filter(label -> !label.isEmpty())
                    .filter(label -> !LABELS_OF_TARGETS.contains(label)).map(Expressions::ours).forEach(grouped::add);
        }
        rest = GROUPING.matcher(rest).replaceAll(" ");
        Set<String> metrics = new HashSet<>();
        Matcher selector = SELECTOR.matcher(rest);
        while (selector.find()) {
            named(selector.group(1), selector.group(2), metrics);
        }
        Matcher name = NAME.matcher(SELECTOR.matcher(rest).replaceAll(" "));
        while (name.find()) {
            if (!WORDS.contains(name.group(1))) {
                named(name.group(1), "", metrics);
            }
        }
        if (!metrics.isEmpty()) {
            groupings.add(new Grouping(expression, metrics, grouped));
        }
    }

    private void named(String metric, String selector, Set<String> metrics) {
        if (NOT_OURS.contains(metric) || metric.contains(":")) {
            return;
        }
        metrics.add(metric);
        Set<String> named = labels.computeIfAbsent(metric, any -> new TreeSet<>());
        LABEL.matcher(selector).results().map(label -> label.group(1))
                .filter(label -> !LABELS_OF_TARGETS.contains(label)).map(Expressions::ours).forEach(named::add);
    }

    private void addQuery(String query) {
        Matcher matcher = QUERY.matcher(query);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not understood: " + query);
        }
        String selector = matcher.group(2) == null ? "" : matcher.group(2);
        add("sum by (" + matcher.group(3) + ") (" + matcher.group(1) + "{" + selector + "})");
    }

    /** The expressions of a file of rules, as it is written here: on one line, or in a block after {@code |-}. */
    private static List<String> rules(List<String> lines) {
        List<String> expressions = new ArrayList<>();
        for (int at = 0; at < lines.size(); at++) {
            String line = lines.get(at).strip();
            if (line.equals("expr: |-")) {
                int indent = lines.get(at).indexOf("expr");
                StringBuilder block = new StringBuilder();
                while (at + 1 < lines.size() && lines.get(at + 1).indexOf(lines.get(at + 1).strip()) > indent) {
                    block.append(lines.get(++at).strip()).append(' ');
                }
                expressions.add(block.toString());
            } else if (line.startsWith("expr: '")) {
                expressions.add(line.substring("expr: '".length(), line.length() - 1).replace("''", "'"));
            } else if (line.startsWith("expr: ")) {
                expressions.add(line.substring("expr: ".length()));
            }
        }
        return expressions;
    }
}

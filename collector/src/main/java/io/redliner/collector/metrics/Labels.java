// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.metrics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The labels (attributes) of a series in one form: names of letters, digits and underscores, sorted. An empty value is left out,
 * for it means the same as no label. Values of names that become the same are joined with a semicolon, as the OpenTelemetry
 * collector does it.
 */
public final class Labels {

    /** No labels: those of the only series of its family. */
    public static final Labels NONE = new Labels(new String[0]);

    /** Names and values in turn, sorted by name. */
    private final String[] pairs;

    private final int hash;

    private Labels(String[] pairs) {
        this.pairs = pairs;
        this.hash = Arrays.hashCode(pairs);
    }

    /** Creates labels from names and values, in whatever order and spelling. */
    public static Labels of(Map<String, String> labels) {
        List<String> pairs = new ArrayList<>(2 * labels.size());
        labels.forEach((name, value) -> {
            pairs.add(name);
            pairs.add(value);
        });
        return of(pairs);
    }

    /** Creates labels from names and values in turn, in whatever order and spelling; a name may be there twice. */
    public static Labels of(List<String> namesAndValues) {
        if (namesAndValues.isEmpty()) {
            return NONE;
        }
        TreeMap<String, String> sorted = new TreeMap<>();
        for (int at = 0; at + 1 < namesAndValues.size(); at += 2) {
            if (!namesAndValues.get(at + 1).isEmpty()) {
                sorted.merge(MetricNameNormalizer.label(namesAndValues.get(at)), namesAndValues.get(at + 1),
                        (first, second) -> first + ";" + second);
            }
        }
        String[] pairs = new String[2 * sorted.size()];
        int at = 0;
        for (Map.Entry<String, String> label : sorted.entrySet()) {
            pairs[at++] = label.getKey();
            pairs[at++] = label.getValue();
        }
        return pairs.length == 0 ? NONE : new Labels(pairs);
    }

    /** Returns the value of a label; empty when there is no such label. */
    public String get(String name) {
        for (int at = 0; at < pairs.length; at += 2) {
            if (pairs[at].equals(name)) {
                return pairs[at + 1];
            }
        }
        return "";
    }

    /** Returns the number of characters of all names and values. */
    int length() {
        int length = 0;
        for (String text : pairs) {
            length += text.length();
        }
        return length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Labels labels && hash == labels.hash && Arrays.equals(pairs, labels.pairs);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** Formats the labels like Prometheus: {@code {method="GET",uri="/x"}}; an empty text when there are none. */
    @Override
    public String toString() {
        if (pairs.length == 0) {
            return "";
        }
        StringBuilder text = new StringBuilder().append('{');
        for (int at = 0; at < pairs.length; at += 2) {
            text.append(at == 0 ? "" : ",").append(pairs[at]).append("=\"");
            MetricNameNormalizer.escape(pairs[at + 1], text);
            text.append('"');
        }
        return text.append('}').toString();
    }
}

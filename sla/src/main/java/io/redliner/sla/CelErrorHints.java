// SPDX-License-Identifier: Apache-2.0
package io.redliner.sla;

import dev.cel.common.CelIssue;
import io.redliner.contract.text.Spelling;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Turns CEL's error messages into messages in the terms of the rule language. */
final class CelErrorHints {

    private static final Pattern QUOTED = Pattern.compile("'[^']*'|\"[^\"]*\"");

    private static final Pattern BARE_DURATION = Pattern.compile("\\b\\d+(\\.\\d+)?(ms|us|ns|s|m|h)\\b");

    private static final Pattern PERCENT = Pattern.compile("\\b(\\d+(?:\\.\\d+)?)\\s*%");

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)*");

    private static final Pattern UNKNOWN = Pattern.compile("undeclared reference to '([^']*)'.*", Pattern.DOTALL);

    private static final Pattern NO_OVERLOAD = Pattern
            .compile("found no matching overload for '([^']*)' applied to '\\((.*?)\\)' .*", Pattern.DOTALL);

    /** Names of services' own gauges, with labels and suffixes as collectors write them. RedLiner's own have other dots. */
    private static final Pattern SERVICE_GAUGE = Pattern
            .compile("[A-Za-z0-9_:]+(\\{.*\\})?(\\.(rate|mean|p\\d+))?", Pattern.DOTALL);

    private static final Pattern LABELS = Pattern.compile("\\{.*\\}", Pattern.DOTALL);

    private static final int MAX_COMPARED = 200;

    private static final int MAX_TYPING_ERRORS = 2;

    private static final int MAX_NAMES = 5;

    private CelErrorHints() {}

    /** Finds literals such as {@code 200ms} and {@code 2%}. CEL itself reports only a syntax error near them. */
    static Optional<InvalidRuleException> foreignLiteral(String expression, SourcePositions positions) {
        String unquoted = QUOTED.matcher(expression).replaceAll(quoted -> " ".repeat(quoted.group().length()));
        Matcher duration = BARE_DURATION.matcher(unquoted);
        if (duration.find()) {
            return Optional.of(positions.at(duration.start(),
                    duration.group() + " must be written as duration('" + duration.group() + "')"));
        }
        Matcher percent = PERCENT.matcher(unquoted);
        if (percent.find()) {
            return Optional.of(positions.at(percent.start(), percent.group() + " must be written as a ratio: "
                    + new java.math.BigDecimal(percent.group(1)).movePointLeft(2).toPlainString()));
        }
        return Optional.empty();
    }

    static InvalidRuleException explain(CelIssue issue, String expression, SourcePositions positions) {
        Matcher unknown = UNKNOWN.matcher(issue.getMessage());
        if (unknown.matches()) {
            return positions.at(issue.getSourceLocation(),
                    unknown(unknown.group(1), nameAt(issue, expression, positions)));
        }
        Matcher overload = NO_OVERLOAD.matcher(issue.getMessage());
        if (overload.matches()) {
            return positions.at(issue.getSourceLocation(), mismatch(overload.group(1), overload.group(2)));
        }
        return positions.at(issue.getSourceLocation(), issue.getMessage());
    }

    private static String nameAt(CelIssue issue, String expression, SourcePositions positions) {
        int offset = positions.source().getLocationOffset(issue.getSourceLocation()).orElse(0);
        Matcher name = NAME.matcher(expression);
        return offset <= expression.length() && name.find(offset) && name.start() == offset ? name.group() : "";
    }

    private static String unknown(String reference, String name) {
        if (reference.equals("_?_:_")) {
            return "?: is not part of the rule language: join comparisons with &&, || and !";
        }
        if (name.isEmpty() || !name.startsWith(reference)) {
            return "'" + reference + "' is not part of the rule language: compare names, numbers and durations with"
                    + " <=, <, >=, > and join them with &&, || and !";
        }
        String nearest = RuleLanguage.names().min(Comparator.comparingInt(known -> Spelling.distance(known, name)))
                .orElseThrow();
        return "unknown name '" + name + "': did you mean " + nearest + "? Gauges of your own are custom['name']";
    }

    /**
     * Returns a text that lists the reported gauges with the most similar names first. The service's own gauges are listed; only
     * without any, gauges that RedLiner measures itself. The text begins with a semicolon.
     */
    static String reportedLike(String key, Collection<String> reported) {
        var names = reported.stream().filter(name -> RuleMetric.named(name).isEmpty() && !name.contains("["))
                .collect(Collectors.partitioningBy(name -> SERVICE_GAUGE.matcher(name).matches()));
        var own = nearest(key, names.getOrDefault(true, List.of()));
        if (!own.isEmpty()) {
            return "; reported are: " + listed(own);
        }
        var others = nearest(key, names.getOrDefault(false, List.of())).stream()
                .filter(name -> Spelling.distance(plain(name), plain(key)) <= MAX_TYPING_ERRORS).toList();
        return "; no custom gauge is reported" + (others.isEmpty() ? "" : ", RedLiner measures: " + listed(others));
    }

    private static List<String> nearest(String key, List<String> names) {
        String wanted = plain(key);
        // The distance of two names is at least the difference of their lengths.
        return names.stream().sorted()
                .sorted(Comparator.comparingInt(name -> Math.abs(bare(name).length() - wanted.length())))
                .limit(MAX_COMPARED).sorted(Comparator.comparingInt(name -> Spelling.distance(plain(name), wanted)))
                .toList();
    }

    private static String listed(List<String> names) {
        return String.join(", ", names.stream().limit(MAX_NAMES).toList())
                + (names.size() > MAX_NAMES ? " and " + (names.size() - MAX_NAMES) + " more" : "");
    }

    /** Returns the name without labels, in lower case, with one separator: spellings that differ only in these compare equal. */
    private static String plain(String name) {
        return bare(name).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "_");
    }

    /** Returns the name without labels. */
    private static String bare(String name) {
        return LABELS.matcher(name).replaceAll("");
    }

    private static String mismatch(String function, String types) {
        String readable = types.replace("google.protobuf.Duration", "duration");
        boolean durationAndNumber = readable.contains("duration") && (readable.contains("int")
                || readable.contains("double") || readable.contains("string"));
        return "'" + function.replace("_", "").strip() + "' does not work on (" + readable + ")"
                + (durationAndNumber ? ": write durations as duration('200ms')" : "");
    }
}

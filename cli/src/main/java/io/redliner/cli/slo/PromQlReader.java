// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.slo;

import io.redliner.cli.slo.PromQlText.Binary;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the forms of PromQL that compute a figure of RedLiner: {@code histogram_quantile}, the part of the requests that fail, and the
 * part that is fast enough, of all requests that a service answers. Any other form is refused, because a guess would be a wrong rule.
 */
final class PromQlReader {

    private static final String GROUPING = "(?:(?:by|without)\\s*\\([^)]*\\)\\s*)?";

    /**
     * The rate of one metric, perhaps summed. Groups do not matter: when each of them keeps a limit, all requests together do.
     */
    private static final Pattern RATE = Pattern.compile("(sum\\s*" + GROUPING
            + "\\(\\s*)?(rate|increase|irate)\\s*\\(\\s*"
            + "([A-Za-z_:][A-Za-z0-9_:]*)\\s*(?:\\{((?:[^{}\"]|\"(?:[^\"\\\\]|\\\\.)*\")*)})?\\s*\\[([^\\]]*)]\\s*\\)\\s*"
            + "(?:\\)\\s*" + GROUPING + ")?");

    private static final Pattern MATCHER = Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)\\s*(=~|!~|!=|=)\\s*"
            + "\"((?:[^\"\\\\]|\\\\.)*)\"");

    private static final Pattern REQUESTS = Pattern
            .compile(".*(request|server_handling|server_handled|server_duration|upstream_rq).*");

    private static final Pattern NOT_REQUESTS = Pattern.compile(
            ".*(client|outgoing|outbound|egress|downstream|prometheus_|size|bytes|in_flight|queue).*");

    /** Labels that name the service, the most certain first. */
    private static final List<String> SERVICE = List.of("service", "service_name", "exported_service", "app",
            "application", "app_kubernetes_io_name", "destination_canonical_service", "destination_service_name",
            "destination_service",
            "destination_workload", "destination_app", "envoy_cluster_name", "exported_job", "job", "deployment");

    /** Labels that say where the service is, and not which of its requests. */
    private static final Set<String> PLACE = Set.of("namespace", "exported_namespace", "service_namespace", "cluster",
            "env", "environment",
            "region", "zone", "instance", "pod", "container", "destination_service_namespace",
            "destination_workload_namespace");

    /** A regular expression that has what is not meant, or no text at all. */
    private static final Pattern NEGATED = Pattern.compile("(=|=~)|=~.*(\\[\\^|\\\\[DPSW]).*", Pattern.DOTALL);

    /** Regular expressions that leave all services in. */
    private static final Set<String> ANY = Set.of(".*", ".+");

    private static final Pattern STATUS = Pattern.compile("code|status|status_code|http_status_code|response_code"
            + "|http_response_status_code|response_code_class|envoy_response_code_class|outcome");

    private static final Pattern SERVER_ERRORS = Pattern
            .compile(
                    "\\^?(5\\.\\.|5\\.\\*|5\\.\\+|5xx|5|5\\\\\\\\?d\\\\\\\\?d|5\\\\\\\\?d\\{2}|5\\[0-9]\\{2}|5\\[0-9]\\[0-9]|SERVER_ERROR)\\$?");

    private static final Pattern NUMBER = Pattern.compile("[0-9]*\\.?[0-9]+([eE][-+]?[0-9]+)?");

    private static final BigDecimal MILLI = new BigDecimal("0.001");

    private static final String HUNDRED = "100";

    private PromQlReader() {}

    /**
     * The series that a part of a query reads.
     *
     * @param way how it reads them: whether it sums, by which function, over which time
     */
    private record Selector(String metric, Map<String, String> matchers, List<String> way) {

        boolean errors(String operator) {
            return matchers.entrySet().stream().anyMatch(one -> isErrors(one.getKey(), one.getValue(), operator));
        }

        /** Returns the matchers without the one that selects errors or the others, or the limit of a bucket. */
        Map<String, String> others() {
            Map<String, String> others = new HashMap<>(matchers);
            others.entrySet().removeIf(one -> one.getKey().equals("le") || isErrors(one.getKey(), one.getValue(), "=")
                    || isErrors(one.getKey(), one.getValue(), "!"));
            return others;
        }

        private static boolean isErrors(String label, String matcher, String operator) {
            return matcher.startsWith(operator) && STATUS.matcher(label).matches()
                    && SERVER_ERRORS.matcher(matcher.replaceFirst("^(=~|!~|!=|=)", "")).matches();
        }
    }

    /** Returns the rule that holds while an alert is silent. */
    static String silent(String alert) throws NotJudgedException {
        Binary comparison = PromQlText.comparison(PromQlText.strip(alert)).orElseThrow(() -> new NotJudgedException(
                "is no single comparison of a query with a number"));
        String must = switch (comparison.operator()) {
            case ">" -> "<=";
            case ">=" -> "<";
            case "<" -> ">=";
            case "<=" -> ">";
            default -> throw new NotJudgedException("compares with " + comparison.operator());
        };
        return figure(comparison.left()).rule(must, number(comparison.right()));
    }

    static BigDecimal number(String text) throws NotJudgedException {
        String plain = PromQlText.strip(text);
        if (!NUMBER.matcher(plain).matches() || plain.length() > 30) {
            throw new NotJudgedException("compares with '" + plain + "', which is no number");
        }
        return new BigDecimal(plain);
    }

    /** Returns the service that a query's labels name, as it stands there; empty when they name none. */
    static String service(String query) {
        Map<String, String> named = new HashMap<>();
        MATCHER.matcher(query).results().filter(one -> one.group(2).startsWith("=") && !ANY.contains(one.group(3)))
                .forEach(one -> named.putIfAbsent(one.group(1), one.group(3)));
        return SERVICE.stream().map(label -> named.getOrDefault(label, "")).filter(name -> !name.isEmpty()).findFirst()
                .orElse("");
    }

    /** Returns the figure that a query computes. */
    static Figure figure(String query) throws NotJudgedException {
        String plain = PromQlText.strip(query);
        Optional<List<String>> quantile = PromQlText.arguments("histogram_quantile", plain);
        if (quantile.isPresent() && quantile.get().size() == 2) {
            return percentile(quantile.get().get(0), quantile.get().get(1));
        }
        Optional<Binary> difference = PromQlText.last(plain, List.of("-"));
        if (difference.isPresent() && difference.get().left().strip().equals("1")
                && figure(difference.get().right()) instanceof Figure.ErrorRatio(boolean good, BigDecimal whole)
                && whole.compareTo(BigDecimal.ONE) == 0) {
            return new Figure.ErrorRatio(!good, whole);
        }
        Optional<Binary> factor = PromQlText.last(plain, List.of("*"));
        if (factor.isPresent()) {
            boolean first = factor.get().left().strip().equals(HUNDRED);
            if ((first || factor.get().right().strip().equals(HUNDRED))
                    && figure(first
                            ? factor.get().right()
                            : factor.get().left()) instanceof Figure.ErrorRatio(boolean good, BigDecimal whole)
                    && whole.compareTo(BigDecimal.ONE) == 0) {
                return new Figure.ErrorRatio(good, new BigDecimal(HUNDRED));
            }
        }
        Optional<Binary> quotient = PromQlText.last(plain, List.of("/"));
        if (quotient.isPresent()) {
            return ratio(quotient.get().left(), quotient.get().right());
        }
        throw new NotJudgedException(
                "has a query of a form that is not understood; histogram_quantile over requests, and the"
                        + " part of them that fails or is fast enough, are");
    }

    private static Figure percentile(String part, String of) throws NotJudgedException {
        Selector selector = selector(of);
        Figure.percentile(number(part));
        requireAll(selector.matchers());
        return new Figure.Percentile(number(part), unit(selector.metric()));
    }

    private static Figure ratio(String part, String whole) throws NotJudgedException {
        Selector some = selector(part);
        Selector all = selector(whole);
        requireAll(some.others());
        boolean sameRequests = some.way().equals(all.way()) && some.others().equals(all.others()) && !all.errors("=")
                && !all.errors("!");
        String limit = some.matchers().getOrDefault("le", "");
        if (sameRequests && limit.startsWith("=") && isAll(some, all)
                && some.matchers().size() == some.others().size() + 1) {
            return new Figure.Within(number(limit.substring(1)).multiply(unit(some.metric())));
        }
        if (sameRequests && some.metric().equals(all.metric()) && some.errors("=") != some.errors("!")
                && !all.matchers().containsKey("le") && some.matchers().size() == some.others().size() + 1) {
            requireRequests(some.metric());
            return new Figure.ErrorRatio(some.errors("!"), BigDecimal.ONE);
        }
        throw new NotJudgedException(
                "divides two things of which it is not certain that one is the part of the other that"
                        + " fails (5xx) or is fast enough (le)");
    }

    /** Returns whether the second selects all requests of whose bucket the first is one. */
    private static boolean isAll(Selector bucket, Selector all) {
        return bucket.metric().endsWith("_bucket")
                && (all.metric().equals(bucket.metric().replaceFirst("_bucket$", "_count"))
                        || (all.metric().equals(bucket.metric()) && "=+Inf".equals(all.matchers().get("le"))));
    }

    private static Selector selector(String text) throws NotJudgedException {
        Matcher rate = RATE.matcher(PromQlText.strip(text));
        if (!rate.matches()) {
            throw new NotJudgedException("is not over the rate of one metric, perhaps summed");
        }
        Map<String, String> matchers = new HashMap<>();
        String labels = Optional.ofNullable(rate.group(4)).orElse("");
        Matcher each = MATCHER.matcher(labels);
        while (each.find()) {
            if (matchers.put(each.group(1), each.group(2) + each.group(3)) != null) {
                throw new NotJudgedException("has two matchers for the label " + each.group(1));
            }
        }
        if (!MATCHER.matcher(labels).replaceAll("").replace(",", "").isBlank()) {
            throw new NotJudgedException("has matchers that cannot be read: {" + labels + "}");
        }
        return new Selector(rate.group(3), matchers,
                List.of(rate.group(1) == null ? "" : "sum", rate.group(2), rate.group(5).strip()));
    }

    /** Refuses a query about some of the requests. */
    private static void requireAll(Map<String, String> matchers) throws NotJudgedException {
        for (Map.Entry<String, String> one : matchers.entrySet()) {
            String label = one.getKey();
            if (!label.equals("le") && !SERVICE.contains(label) && !PLACE.contains(label)) {
                throw new NotJudgedException("is about the requests with a certain " + label
                        + ", and RedLiner judges all of the service's");
            }
            if (one.getValue().startsWith("!") || NEGATED.matcher(one.getValue()).matches()) {
                throw new NotJudgedException("is about all but some by the label " + label
                        + "; name the service, by = or by =~");
            }
        }
    }

    private static void requireRequests(String metric) throws NotJudgedException {
        String name = metric.toLowerCase(Locale.ROOT);
        if (!REQUESTS.matcher(name).matches() || NOT_REQUESTS.matcher(name).matches()) {
            throw new NotJudgedException(
                    "is about " + metric + ", of which it is not certain that it is of the requests that the"
                            + " service answers; where it is, write the rule yourself");
        }
    }

    /** Returns the seconds of the unit in a metric's name. */
    private static BigDecimal unit(String metric) throws NotJudgedException {
        requireRequests(metric);
        String base = metric.replaceFirst("_bucket$", "");
        if (base.endsWith("_seconds")) {
            return BigDecimal.ONE;
        }
        if (base.endsWith("_milliseconds") || base.endsWith("_ms") || base.equals("envoy_cluster_upstream_rq_time")) {
            return MILLI;
        }
        throw new NotJudgedException(
                "is about " + metric + ", whose name has no unit; where it is seconds, write the rule"
                        + " yourself");
    }
}

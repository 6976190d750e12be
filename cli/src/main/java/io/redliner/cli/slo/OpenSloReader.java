// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.slo;

import io.redliner.contract.document.DocumentProblem;
import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.contract.document.YamlNode;
import io.redliner.contract.document.YamlParser;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads SLOs of OpenSLO v1, with the SLIs of the same file. Each objective is a rule, or is left out with the reason. */
public final class OpenSloReader {

    private static final String VERSION = "openslo/v1";

    private static final BigDecimal HUNDRED = new BigDecimal(100);

    private final ImportedRules imported = new ImportedRules();

    private final Map<String, YamlNode> indicators = new HashMap<>();

    private OpenSloReader() {}

    /**
     * Reads a file with any number of documents.
     *
     * @throws InvalidDocumentException when the text is no YAML, or has no SLO
     */
    public static ImportedRules read(String text) throws InvalidDocumentException {
        List<YamlNode> documents = YamlParser.readPlans(text);
        OpenSloReader reader = new OpenSloReader();
        documents.stream().filter(document -> isKind(document, "SLI")).forEach(sli -> reader.indicators
                .put(Yaml.text(sli, "metadata", "name").orElse(""), sli));
        List<YamlNode> objectives = documents.stream().filter(document -> isKind(document, "SLO")).toList();
        if (objectives.isEmpty()) {
            throw new InvalidDocumentException(List.of(DocumentProblem.at("$", 1, 1,
                    "has no document of the kind SLO, so there are no objectives in it")));
        }
        objectives.forEach(reader::readSlo);
        return reader.imported;
    }

    private static boolean isKind(YamlNode document, String kind) {
        return Yaml.text(document, "kind").filter(kind::equals).isPresent();
    }

    private void readSlo(YamlNode slo) {
        String name = Yaml.text(slo, "metadata", "name").orElse("slo");
        String service = Yaml.text(slo, "spec", "service").orElse("");
        String version = Yaml.text(slo, "apiVersion").orElse("");
        List<YamlNode> objectives = Yaml.items(slo, "spec", "objectives");
        if (!version.equals(VERSION) || objectives.isEmpty()) {
            imported.leaveOut(service, slo, name, objectives.isEmpty()
                    ? "has no objectives"
                    : "is of the version '" + version + "', and only " + VERSION + " is read");
            return;
        }
        for (YamlNode objective : objectives) {
            String rule = objectives.size() == 1
                    ? name
                    : name + Yaml.text(objective, "displayName").map(one -> "-" + one).orElse("");
            try {
                imported.add(service, objective, rule, rule(slo, objective));
            } catch (NotJudgedException reason) {
                imported.leaveOut(service, objective, rule, String.valueOf(reason.getMessage()));
            }
        }
    }

    private String rule(YamlNode slo, YamlNode objective) throws NotJudgedException {
        BigDecimal target = target(Yaml.text(slo, "spec", "budgetingMethod").orElse("Occurrences"), objective);
        YamlNode indicator = indicator(slo, objective);
        Optional<YamlNode> threshold = Yaml.find(indicator, "spec", "thresholdMetric");
        if (threshold.isPresent()) {
            return PromQlReader.figure(query(threshold.get())).rule(operator(objective),
                    PromQlReader.number(Yaml.text(objective, "value")
                            .orElseThrow(() -> new NotJudgedException("has no value for its thresholdMetric"))));
        }
        YamlNode ratio = Yaml.find(indicator, "spec", "ratioMetric")
                .orElseThrow(() -> new NotJudgedException("has neither a thresholdMetric nor a ratioMetric"));
        Optional<YamlNode> total = Yaml.find(ratio, "total");
        Optional<YamlNode> good = Yaml.find(ratio, "good");
        Optional<YamlNode> bad = Yaml.find(ratio, "bad");
        if (total.isEmpty() || good.isPresent() == bad.isPresent()) {
            throw new NotJudgedException("has a ratioMetric without a total and one of good and bad");
        }
        String quotient = "(" + query(good.or(() -> bad).orElseThrow()) + ") / (" + query(total.get()) + ")";
        return good.isPresent()
                ? PromQlReader.figure(quotient).rule(">=", target)
                : PromQlReader.figure(quotient).rule("<=", BigDecimal.ONE.subtract(target));
    }

    /** Returns the part of the requests that has to be good; of each slice of time where slices are counted. */
    private static BigDecimal target(String method, YamlNode objective) throws NotJudgedException {
        if (method.equals("RatioTimeslices")) {
            throw new NotJudgedException(
                    "is budgeted by RatioTimeslices, a mean over slices of time that RedLiner has not");
        }
        if (method.equals("Timeslices")) {
            return PromQlReader.number(Yaml.text(objective, "timeSliceTarget").orElseThrow(
                    () -> new NotJudgedException("is budgeted by Timeslices and has no timeSliceTarget, the part of a"
                            + " slice's requests that has to be good")));
        }
        Optional<String> percent = Yaml.text(objective, "targetPercent");
        return percent.isPresent()
                ? PromQlReader.number(percent.get()).divide(HUNDRED)
                : PromQlReader.number(Yaml.text(objective, "target").orElseThrow(() -> new NotJudgedException(
                        "has neither a target nor a targetPercent")));
    }

    private static String operator(YamlNode objective) throws NotJudgedException {
        String operator = Yaml.text(objective, "op").orElse("");
        return switch (operator) {
            case "lte" -> "<=";
            case "lt" -> "<";
            case "gte" -> ">=";
            case "gt" -> ">";
            default -> throw new NotJudgedException("has the op '" + operator + "'; lte, lt, gte and gt are known");
        };
    }

    private YamlNode indicator(YamlNode slo, YamlNode objective) throws NotJudgedException {
        for (YamlNode holder : List.of(objective, Yaml.find(slo, "spec").orElseThrow())) {
            Optional<YamlNode> own = Yaml.find(holder, "indicator");
            if (own.isPresent()) {
                return own.get();
            }
            Optional<String> reference = Yaml.text(holder, "indicatorRef");
            if (reference.isPresent()) {
                return Optional.ofNullable(indicators.get(reference.get())).orElseThrow(() -> new NotJudgedException(
                        "refers to the SLI " + reference.get() + ", which is not in this file; put both into one"));
            }
        }
        throw new NotJudgedException("has no indicator");
    }

    private static String query(YamlNode metric) throws NotJudgedException {
        String type = Yaml.text(metric, "metricSource", "type").orElse("Prometheus");
        if (!type.equalsIgnoreCase("Prometheus")) {
            throw new NotJudgedException("has queries for " + type + ", and only Prometheus' are understood");
        }
        for (String field : List.of("query", "promql", "expr")) {
            Optional<String> query = Yaml.text(metric, "metricSource", "spec", field);
            if (query.isPresent()) {
                return query.get();
            }
        }
        throw new NotJudgedException("has no metricSource with a query");
    }
}

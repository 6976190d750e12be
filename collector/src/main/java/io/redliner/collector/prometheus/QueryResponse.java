// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.prometheus;

import io.redliner.collector.http.BoundedHttpClient;
import io.redliner.collector.http.RequestFailedException;
import io.redliner.collector.http.RequestFailedException.RequestFailureReason;
import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads answers of {@code /api/v1/query}: the series of an instant vector. An answer with a warning may be a part, and is refused. */
record QueryResponse(int maxBytes) implements BoundedHttpClient.Reader<List<QueryResponse.Series>> {

    private static final int OK = 200;

    private static final int BAD_REQUEST = 400;

    /** Prometheus' status for queries that cannot be executed. */
    private static final int UNPROCESSABLE = 422;

    private static final JsonMapper JSON = new JsonMapper();

    /** A series and its value, which may be NaN or infinite. */
    record Series(Map<String, String> labels, double value) {

        Series {
            labels = Map.copyOf(labels);
        }

        /** Returns a label's value; empty when it is not there. */
        String label(String name) {
            return labels.getOrDefault(name, "");
        }
    }

    @Override
    public void check(int status, HttpHeaders headers) throws RequestFailedException {
        String type = headers.firstValue("content-type").orElse("");
        if (type.toLowerCase(Locale.ROOT).startsWith("application/json")) {
            return;
        }
        if (status != OK) {
            throw new RequestFailedException(RequestFailureReason.STATUS, "answers with the status " + status);
        }
        throw new RequestFailedException(RequestFailureReason.CONTENT, "answers with "
                + (type.isEmpty() ? "no content type" : "the content type " + BoundedHttpClient.cut(type))
                + ", which is no answer of Prometheus; is url its address, with its path prefix?");
    }

    @Override
    public List<Series> read(int status, HttpHeaders headers, byte[] body) throws RequestFailedException {
        JsonNode answer;
        try {
            answer = JSON.readTree(BoundedHttpClient.decompress(PrometheusProperties.PREFIX, headers, body, maxBytes));
        } catch (JacksonException e) {
            throw RequestFailedException.malformed("its answer is no JSON, or was cut off");
        }
        if (status != OK || !answer.path("status").asString("").equals("success")) {
            throw new RequestFailedException(
                    status == BAD_REQUEST || status == UNPROCESSABLE
                            ? RequestFailureReason.REJECTED
                            : RequestFailureReason.STATUS,
                    "answers with the status " + status + ": "
                            + BoundedHttpClient.cut(answer.path("error").asString("no reason")));
        }
        if (!answer.path("warnings").isEmpty()) {
            throw new RequestFailedException(RequestFailureReason.REJECTED, "warns that its answer may be a part: "
                    + BoundedHttpClient.cut(answer.path("warnings").path(0).asString("")));
        }
        return series(answer.path("data"));
    }

    private static List<Series> series(JsonNode data) throws RequestFailedException {
        String type = data.path("resultType").asString("");
        if (!type.equals("vector")) {
            throw RequestFailedException.malformed("gives a " + (type.isEmpty() ? "result without a type" : type)
                    + " where an instant vector is needed, one series for each instance");
        }
        List<Series> all = new ArrayList<>();
        for (JsonNode series : data.path("result")) {
            Map<String, String> labels = new HashMap<>();
            series.path("metric").properties().forEach(label -> labels.put(label.getKey(),
                    label.getValue().asString("")));
            if (series.has("histogram")) {
                throw RequestFailedException.malformed("gives native histograms; take a figure of them, such as"
                        + " histogram_quantile(0.99, ...)");
            }
            all.add(new Series(labels, number(series.path("value").path(1).asString(""))));
        }
        return all;
    }

    private static double number(String value) throws RequestFailedException {
        try {
            return switch (value) {
                case "+Inf" -> Double.POSITIVE_INFINITY;
                case "-Inf" -> Double.NEGATIVE_INFINITY;
                default -> Double.parseDouble(value);
            };
        } catch (NumberFormatException e) {
            throw RequestFailedException.malformed("has a value that is no number: '" + BoundedHttpClient.cut(value)
                    + "'");
        }
    }
}

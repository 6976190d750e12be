// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redliner.collector.http.RequestFailedException;
import io.redliner.collector.http.RequestFailedException.RequestFailureReason;
import io.redliner.collector.prometheus.QueryResponse.Series;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryResponseTest {

    private static final String JSON = "application/json";

    private static List<Series> read(int status, String type, String body) throws RequestFailedException {
        HttpHeaders headers = HttpHeaders.of(Map.of("content-type", List.of(type)), (name, value) -> true);
        QueryResponse response = new QueryResponse(1 << 20);
        response.check(status, headers);
        return response.read(status, headers, body.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void the_series_of_an_instant_vector_are_read_with_values_that_are_no_number() throws Exception {
        String body = """
                {"status": "success", "data": {"resultType": "vector", "result": [
                  {"metric": {"__name__": "up", "instance": "10.0.0.1:9100"}, "value": [1435781451.781, "0.25"]},
                  {"metric": {"instance": "10.0.0.2:9100"}, "value": [1435781451.781, "NaN"]},
                  {"metric": {}, "value": [1435781451.781, "+Inf"]},
                  {"metric": {}, "value": [1435781451.781, "-Inf"]}]},
                 "infos": ["PromQL info: metric might not be a counter"]}""";

        assertThat(read(200, JSON, body)).containsExactly(
                new Series(Map.of("__name__", "up", "instance", "10.0.0.1:9100"), 0.25),
                new Series(Map.of("instance", "10.0.0.2:9100"), Double.NaN),
                new Series(Map.of(), Double.POSITIVE_INFINITY), new Series(Map.of(), Double.NEGATIVE_INFINITY));
    }

    @Test
    void an_answer_without_series_has_none() throws Exception {
        assertThat(read(200, JSON + "; charset=utf-8",
                "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}}")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "400 | application/json | {\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"parse error\"} | REJECTED | answers with the status 400: parse error",
        "422 | application/json | {\"status\":\"error\",\"errorType\":\"execution\",\"error\":\"many-to-many\"} | REJECTED | status 422: many-to-many",
        "503 | application/json | {\"status\":\"error\",\"errorType\":\"timeout\",\"error\":\"query timed out\"} | STATUS | status 503: query timed out",
        "503 | application/json | {\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}} | STATUS | status 503",
        "503 | text/plain | Service Unavailable | STATUS | answers with the status 503",
        "200 | text/html | <html></html> | CONTENT | which is no answer of Prometheus; is url its address",
        "200 | application/json | {\"status\":\"success\",\"warnings\":[\"store gone\"],\"data\":{\"resultType\":\"vector\",\"result\":[]}} | REJECTED | warns that its answer may be a part: store gone",
        "200 | application/json | {\"status\":\"success\",\"data\":{\"resultType\":\"scalar\",\"result\":[1,\"2\"]}} | MALFORMED | gives a scalar where an instant vector is needed",
        "200 | application/json | {\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}} | MALFORMED | gives a matrix",
        "200 | application/json | {\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":{},\"histogram\":[1,{}]}]}} | MALFORMED | native histograms",
        "200 | application/json | {\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[{\"metric\":{},\"value\":[1,\"many\"]}]}} | MALFORMED | no number: 'many'",
        "200 | application/json | {\"status\":\"success\",\"data\":{\"resultType\":\"vec | MALFORMED | no JSON, or was cut off",
        "200 | application/json | [] | STATUS | no reason"})
    void an_answer_that_is_no_vector_fails_with_its_reason(int status, String type, String body,
            RequestFailureReason reason, String message) {
        assertThatThrownBy(() -> read(status, type, body)).hasMessageContaining(message)
                .isInstanceOfSatisfying(RequestFailedException.class,
                        failure -> assertThat(failure.reason()).isEqualTo(reason));
    }
}

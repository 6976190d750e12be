// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.scene.Client;
import io.redliner.controller.scene.Client.Answer;
import io.redliner.controller.scene.Scene;
import io.redliner.controller.service.security.CapturedOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OddRequestTest {

    private final Scene scene = Scene.shared();

    private final Client client = scene.client();

    @ParameterizedTest
    @ValueSource(strings = {"application/x-www-form-urlencoded", "multipart/form-data", "image/png"})
    void a_body_is_read_whatever_type_it_claims_to_be(String type) {
        Answer answer = client.post("/api/v1/sizing", "targetRequestsPerSecond: 100000\ncapacity: {low: 100}",
                "Content-Type", type);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().get("instances").asInt()).isEqualTo(1000);
        assertThat(client.put("/api/v1/services/odd/owner", "team: a", "Content-Type", type).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/runs/%ff", "/api/v1/runs/%00", "/api/v1/runs/%zz", "/api/v1/runs/a%2Fb",
        "/api/v1/runs?service=%zz", "/api/v1/runs?=x"})
    void broken_encoding_is_refused_with_a_problem(String address) throws IOException {
        int port = scene.context().getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            OutputStream out = socket.getOutputStream();
            out.write(("GET " + address + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    .getBytes(StandardCharsets.ISO_8859_1));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(answer).startsWith("HTTP/1.1 400")
                    .contains("Content-Type: application/problem+json", "https://redliner.io/problems/")
                    .doesNotContain("Exception", "Tomcat");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-999999999-01-01T00:00:00Z", "+999999999-01-01T00:00:00Z"})
    void times_that_no_database_knows_are_no_failure(String time) {
        String since = "?since=" + time.replace("+", "%2B");
        String token = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((time + " x").getBytes(StandardCharsets.UTF_8));

        assertThat(client.get("/api/v1/runs" + since).status()).isEqualTo(400);
        assertThat(client.get("/api/v1/audit" + since).status()).isEqualTo(400);
        assertThat(client.get("/api/v1/capacities/odd/history" + since).status()).isEqualTo(400);
        for (String list : new String[]{"runs", "series", "notifications", "services/odd/deployments"}) {
            assertThat(client.get("/api/v1/" + list + "?pageToken=" + token).status()).isEqualTo(400);
        }
        assertThat(client
                .post("/api/v1/freezes",
                        "from: '%s'\nto: '+999999999-01-01T00:00:00Z'\nreason: odd".formatted(time))
                .status()).isEqualTo(400);
    }

    @Test
    void a_method_that_nothing_serves_is_not_allowed() {
        Answer answer = client.put("/api/v1/runs", "");

        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.header("Allow")).contains("GET", "POST");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "br", "identity, gzip"})
    void a_body_that_is_encoded_is_refused_by_its_encoding_and_not_for_its_bytes(String encoding) {
        for (String path : new String[]{"/api/v1/sizing", "/api/v1/tokens"}) {
            Answer answer = client.post(path, "targetRequestsPerSecond: 1\ncapacity: {low: 100}", "Content-Encoding",
                    encoding);

            assertThat(answer.status()).as(answer.response().body()).isEqualTo(415);
            assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(answer.header("Accept-Encoding")).isEqualTo("identity");
            assertThat(answer.json().get("detail").asString()).contains(encoding, "without Content-Encoding");
        }
    }

    @Test
    void a_body_in_the_identity_encoding_is_read() {
        assertThat(client.post("/api/v1/sizing", "targetRequestsPerSecond: 1\ncapacity: {low: 100}",
                "Content-Encoding", "identity").status()).isEqualTo(200);
    }

    @Test
    void what_is_not_there_or_not_served_is_answered_with_a_problem() {
        Answer missing = client.get("/api/v1/nothing");
        Answer method = client.put("/api/v1/runs", "");
        Answer type = client.get("/api/v1/runs", "Accept", "image/png");

        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.json().get("detail").asString()).isEqualTo("there is nothing at /api/v1/nothing");
        assertThat(method.status()).isEqualTo(405);
        assertThat(method.json().get("detail").asString()).contains("PUT", "GET, HEAD, OPTIONS, POST");
        assertThat(type.status()).isEqualTo(406);
        assertThat(type.json().get("detail").asString()).contains("application/json");
    }

    @Test
    void a_trace_is_answered_with_a_problem() {
        Answer answer = client.send("TRACE", "/api/v1/runs", null);

        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
        assertThat(answer.json().get("type").asString()).startsWith("https://redliner.io/problems/");
        assertThat(answer.json().get("detail").asString()).isNotEmpty();
    }

    /** The answer is there before the body is, now and then. */
    @Test
    void a_connection_whose_bodies_are_not_read_serves_the_next_request() {
        for (int number = 0; number < 500; number++) {
            Answer answer = client.post("/api/v1/sizing", "targetRequestsPerSecond: 1", "Content-Encoding", "gzip");

            assertThat(answer.status()).isEqualTo(415);
        }
    }

    @Test
    void a_parameter_that_nobody_knows_is_refused_with_those_that_are_known() {
        Answer list = client.get("/api/v1/runs?limits=5");
        assertThat(list.status()).isEqualTo(400);
        assertThat(list.json().get("field").asString()).isEqualTo("limits");
        assertThat(list.json().get("detail").asString()).startsWith("parameter limits is unknown here; known are ")
                .contains("limit", "pageToken");

        assertThat(client.post("/api/v1/runs?dryrun=true", "plan: odd").json().get("detail").asString())
                .contains("dryrun", "dryRun");
        assertThat(client.post("/api/v1/runs/none:abort?now=1", "{\"reason\": \"odd\"}").status())
                .as("what stops runs is served").isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({"/runs?limit=5&limit=6, limit", "/runs?limit=5&service=shop&limit=5, limit",
        "/audit?since=&since=, since",
        "/services/odd/headroom?growth=50%25&growth=0.2, growth", "/capacities/odd/trend?version=a&version=b, version",
        "/runs/none/decisions?all=true&all=false, all", "/runs/none/report?format=json&%66ormat=csv, format",
        "/plans/none?version=1&version=2, version"})
    void a_parameter_that_is_given_twice_is_refused(String address, String name) {
        Answer answer = client.get("/api/v1" + address);

        assertThat(answer.status()).as(answer.response().body()).isEqualTo(400);
        assertThat(answer.json().get("type").asString()).endsWith("/invalid-parameter");
        assertThat(answer.json().get("field").asString()).isEqualTo(name);
        assertThat(answer.json().get("detail").asString())
                .isEqualTo("parameter " + name + " is given 2 times: give it once");
    }

    @Test
    void a_start_whose_parameter_is_given_twice_starts_nothing_and_a_stop_is_served() {
        assertThat(client.post("/api/v1/runs?dryRun=true&dryRun=false", "plan: odd").json().get("detail").asString())
                .isEqualTo("parameter dryRun is given 2 times: give it once");
        assertThat(client.post("/api/v1/runs/none:abort?now=1&now=2", "{\"reason\": \"odd\"}").status()).isEqualTo(404);
    }

    @Test
    void a_percent_sign_that_is_not_encoded_gets_the_way_to_write_it() throws IOException {
        assertThat(raw("/api/v1/services/odd/headroom?growth=50%")).startsWith("HTTP/1.1 400")
                .contains("application/problem+json", "50%25", "0.5");
        assertThat(client.get("/api/v1/services/odd/headroom?growth=50%25").status()).isNotEqualTo(400);
        assertThat(client.get("/api/v1/services/odd/headroom?growth=0.5").status()).isNotEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({"runs, since", "audit, since", "capacities/odd/history, since", "capacities/odd/trend, since",
        "schedules:upcoming, to"})
    void a_plus_that_became_a_blank_gets_the_way_to_write_it(String path, String field) {
        String address = "/api/v1/" + path + "?" + field + "=2026-11-28T00:00:00";

        for (String blank : new String[]{"+01:00", "%2001:00", "+0100", "+01"}) {
            Answer answer = client.get(address + blank);
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.json().get("field").asString()).isEqualTo(field);
            assertThat(answer.json().get("detail").asString())
                    .isEqualTo(
                            field + " has a blank where a + was: write the + as %2B, as 2026-01-31T09:00:00%2B01:00");
        }
        assertThat(client.get(address + "%2B01:00").status()).isNotEqualTo(400);
        assertThat(client.get(address + "-01:00").status()).isNotEqualTo(400);
        assertThat(client.get(address + "Z").status()).isNotEqualTo(400);
        assertThat(client.get(address + "%20Z").json().get("detail").asString())
                .isEqualTo(field + " is an instant as 2026-01-31T09:00:00Z");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[::1]:9001", "%5B::1%5D:9001", "[0:0:0:0:0:0:0:1]:9001", "%5b%3A%3A1%5D%3a9001"})
    void an_address_of_ipv6_is_read_in_a_path_and_in_a_query(String address) throws IOException {
        assertThat(client.put("/api/v1/services/ipv6/instances/%5B::1%5D:9001", "hardware: m5").status())
                .isEqualTo(200);
        for (String port : new String[]{"local.server.port", "local.emergency.port"}) {
            assertThat(send(port, "GET /api/v1/services/ipv6/instances/" + address
                    + " HTTP/1.1\r\nHost: [::1]\r\nConnection: close\r\n\r\n"))
                    .contains(port.contains("emergency") ? "application/problem+json" : "\"instance\":\"[::1]:9001\"");
        }
        assertThat(raw("/api/v1/capacities/ipv6/history?instance=" + address)).startsWith("HTTP/1.1 200");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[::1", "[::1]", "::1:9001", "[::1]:99999", "[::g]:1"})
    void what_is_no_address_is_refused_or_not_found_in_words(String address) throws IOException {
        assertThat(raw("/api/v1/services/ipv6/instances/" + address)).startsWith("HTTP/1.1 404")
                .contains("application/problem+json", address);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 1\r\nContent-Length: 2", "Content-Length: x", "Content-Length: -1",
        "Content-Length: 99999999999999999999", "Content-Length: 1, 1", "Content-Length: ",
        "Content-Length: +1", "Transfer-Encoding: gzip"})
    void a_length_that_cannot_be_understood_is_refused_without_an_error_in_the_log(String headers) throws Exception {
        for (String port : new String[]{"local.server.port", "local.emergency.port"}) {
            try (CapturedOutput log = CapturedOutput.ofServer(scene.context())) {
                String answer = send(port, "POST /api/v1/kill-switch HTTP/1.1\r\nHost: localhost\r\n" + headers
                        + "\r\nConnection: close\r\n\r\n{}");

                assertThat(answer).containsPattern("^HTTP/1.1 [45]0[01]")
                        .contains("application/problem+json")
                        .doesNotContain("HTTP/1.1 500");
                assertThat(log.text()).doesNotContain("ERROR", "Exception");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /%s HTTP/1.1\r\nHost: localhost",
        "GET /api/v1/runs?service=%s HTTP/1.1\r\nHost: localhost",
        "%s / HTTP/1.1\r\nHost: localhost", "GET / HTTP/1.1\r\nHost: localhost\r\nX-A: %s",
        "GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n%s: a", "GET / %s\r\nHost: localhost"})
    void a_request_line_or_a_header_that_is_too_long_is_refused_with_a_problem(String request) throws Exception {
        for (String port : new String[]{"local.server.port", "local.emergency.port"}) {
            try (CapturedOutput log = CapturedOutput.ofServer(scene.context())) {
                String answer = send(port, request.formatted("a".repeat(20_000)) + "\r\nConnection: close\r\n\r\n");

                assertThat(answer).containsPattern("^HTTP/1.1 (400|414|431|505)").contains("application/problem+json");
                assertThat(log.text()).doesNotContain(" ERROR ");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"'POST /api/v1/kill-switch HTTP/1.1\r\nTransfer-Encoding: gzip', 501, only chunked is",
        "'POST /api/v1/kill-switch HTTP/1.1\r\nTransfer-Encoding: deflate', 501, only chunked is",
        "'GET / HTTP/9.9', 505, use HTTP/1.1", "'CONNECT a:1 HTTP/1.1', 501, only chunked is",
        "'POST /api/v1/kill-switch HTTP/1.1\r\nExpect: wonders\r\nContent-Length: 2', 417, 100-continue"})
    void what_the_server_refuses_itself_is_no_mistake_of_the_controller(String request, int status, String words)
            throws IOException {
        for (String port : new String[]{"local.server.port", "local.emergency.port"}) {
            String answer = send(port, request + "\r\nHost: localhost\r\nConnection: close\r\n\r\n{}");

            assertThat(answer).startsWith("HTTP/1.1 " + status).contains("request-refused", words)
                    .doesNotContain("controller's log", "made a mistake");
        }
    }

    @Test
    void a_body_that_is_too_long_gets_the_limit() {
        Answer answer = client.post("/api/v1/plans:validate", "#".repeat(513 * 1024));

        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.json().get("detail").asString()).contains("512 KiB");
    }

    private String send(String port, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(),
                scene.context().getEnvironment().getRequiredProperty(port, Integer.class))) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** As a shell or a script writes it; Java's own client would refuse it. */
    private String raw(String path) throws IOException {
        int port = scene.context().getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/services/shop/headroom?growth=", "/services/shop/headroom?growth=%20",
        "/sizing/fleet?growth=&headroom=0.2", "/runs?limit=", "/capacities?limit="})
    void an_empty_parameter_is_not_its_default(String address) {
        Answer answer = client.get("/api/v1" + address);

        assertThat(answer.status()).as(answer.response().body()).isEqualTo(400);
        assertThat(answer.json().get("detail").asString()).contains("is empty: give it a value, or leave it out");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.trial;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Requests to one port, one after the other, counted by who answered. */
final class Traffic implements AutoCloseable {

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final URI root;

    private final HttpRequest request;

    Traffic(int port) {
        this.root = URI.create("http://127.0.0.1:" + port + "/");
        this.request = request(UnaryOperator.identity());
    }

    private HttpRequest request(UnaryOperator<HttpRequest.Builder> change) {
        return change.apply(HttpRequest.newBuilder(root).timeout(Duration.ofSeconds(5))).build();
    }

    /** The fraction of the requests that this instance answered; fails when one is not answered with 200. */
    double shareOf(String instance, int requests) {
        return (double) send(requests).getOrDefault(instance, 0) / requests;
    }

    Map<String, Integer> send(int requests) {
        Map<String, Integer> answers = new TreeMap<>();
        for (int i = 0; i < requests; i++) {
            answers.merge(once(), 1, Integer::sum);
        }
        return answers;
    }

    /** Who answers; fails when nobody does, with 200. */
    String once() {
        return answer(request);
    }

    /** Who answers a request with this header. */
    String withHeader(String name, String value) {
        return answer(request(builder -> builder.header(name, value)));
    }

    /** Who answers a request for this path, query included. */
    String at(String path) {
        return answer(request(builder -> builder.uri(root.resolve(path))));
    }

    /** Who answers a request that was made up freely. */
    String with(UnaryOperator<HttpRequest.Builder> change) {
        return answer(request(change));
    }

    /** The status of an answer, whichever it is. */
    int status() {
        return respond(request).statusCode();
    }

    private String answer(HttpRequest asked) {
        HttpResponse<String> response = respond(asked);
        if (response.statusCode() != 200) {
            throw new AssertionError("status " + response.statusCode() + ": " + response.body());
        }
        return response.body();
    }

    private HttpResponse<String> respond(HttpRequest asked) {
        try {
            return client.send(asked, HttpResponse.BodyHandlers.ofString());
        } catch (IOException unanswered) {
            throw new UncheckedIOException(unanswered);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** Four and a half standard deviations of a measured fraction, plus what round robin rounds. */
    static double bound(double share, int requests) {
        return 4.5 * Math.sqrt(share * (1 - share) / requests) + 1.0 / requests;
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}

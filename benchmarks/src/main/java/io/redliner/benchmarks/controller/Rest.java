// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.controller;

import io.redliner.benchmarks.figures.Delays;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.regex.Pattern;

/** A user of the API. */
final class Rest implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final int OK = 200;

    private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");

    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final String base;

    Rest(String port) {
        this.base = "http://127.0.0.1:" + port;
    }

    /** Where the API is, without a path. */
    String base() {
        return base;
    }

    /** With pairs of names and values of headers. */
    HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        var request = request(path).GET();
        return http.send((headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return http.send(request(path).POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }

    /** The id of the newest run. */
    String newestRun() throws IOException, InterruptedException {
        var found = ID.matcher(get("/api/v1/runs").body());
        if (!found.find()) {
            throw new IOException("There is no run");
        }
        return found.group(1);
    }

    /** The status of the answer; 0 when there is none. */
    int posted(String path, String body) {
        return status(() -> post(path, body));
    }

    /** The status of the answer; 0 when there is none. */
    int got(String path) {
        return status(() -> get(path));
    }

    /** A request, and its answer. */
    @FunctionalInterface
    interface Question {

        HttpResponse<String> ask() throws IOException, InterruptedException;
    }

    /** How long answers take, after some that do not count; each has to be a 200. */
    static Delays delays(Question question, int warmUp, int count, InstantSource clock)
            throws IOException, InterruptedException {
        var delays = new Delays();
        for (int answer = -warmUp; answer < count; answer++) {
            var begin = clock.instant();
            var got = question.ask();
            if (got.statusCode() != OK) {
                throw new IOException(got.uri() + ": " + got.body());
            }
            if (answer >= 0) {
                delays.add(begin, clock.instant());
            }
        }
        return delays;
    }

    private static int status(Question question) {
        try {
            return question.ask().statusCode();
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path)).timeout(PATIENCE);
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/** A server that answers as the controller's API documents it, and the command line as its client. */
final class FakeController implements AutoCloseable {

    private final HttpServer server;

    private final Map<String, Answer> answers = new ConcurrentHashMap<>();

    private final List<String> asked = new CopyOnWriteArrayList<>();

    private final List<String> tokens = new CopyOnWriteArrayList<>();

    /** Answers one request. */
    @FunctionalInterface
    interface Answer {

        void give(HttpExchange exchange) throws IOException;
    }

    /** What a command wrote, and how it ended. */
    record Ran(int code, String out, String err) {}

    FakeController() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        on("GET /api/v1/kill-switch", 200, "{\"engaged\": false}");
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String what = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        asked.add(what + (body.isEmpty() ? "" : " " + body));
        String token = exchange.getRequestHeaders().getFirst("Authorization");
        tokens.add(token == null ? "" : token);
        Answer answer = answers.get(what);
        if (answer == null) {
            send(exchange, 404, "{\"title\": \"There is no such thing\", \"detail\": \"" + what + "\"}");
        } else {
            answer.give(exchange);
        }
    }

    static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    FakeController on(String what, int status, String body) {
        return on(what, exchange -> send(exchange, status, body));
    }

    FakeController on(String what, Answer answer) {
        answers.put(what, answer);
        return this;
    }

    /** Method, address and body of each request. */
    List<String> asked() {
        return asked;
    }

    /** The header Authorization of each request. */
    List<String> tokens() {
        return tokens;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Runs the command line against this controller. */
    Ran run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--url", url()));
        return execute(all.toArray(String[]::new));
    }

    static Ran execute(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = RedlinerCommand.commandLine(RedlinerCommand.VERBS).setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new Ran(code, out.toString(), err.toString());
    }

    @Override
    public void close() {
        server.stop(0);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpHandlers;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs short verbs against a server of its own on the loopback interface, and so loads the classes that they need. The
 * launcher has the JVM archive these classes, which makes later starts faster.
 */
final class CdsTrainingRun {

    private static final String RUN = """
            {"id": "r1", "service": "shop", "sut": "127.0.0.1:1", "plan": "p", "profile": "capacity", "phase": "Finished",
             "outcome": "CAPACITY_FOUND", "stopReason": {"code": "CapacityFound", "detail": "confirmed"}, "exitCode": 0,
             "submittedAt": "2026-01-01T00:00:00Z", "finishedAt": "2026-01-01T00:02:00Z", "askedShare": 0.25,
             "naturalShare": 0.25, "maxShare": 0.6, "harm": {"requests": 12, "allowed": 300, "used": 0.04},
             "result": {"capacity": 284.2, "low": 262, "high": 310, "lowerBound": false, "limitingRule": "latency"},
             "restore": {"traffic": "NATURAL", "proof": "MEASURED", "seconds": 0.8, "detail": "ok"}, "hash": "0"}""";

    private CdsTrainingRun() {}

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/runs/", answer(RUN));
        server.createContext("/api/v1/runs/r1/events", answer("event: end\ndata: " + RUN.replace('\n', ' ') + "\n\n"));
        server.createContext("/api/v1/runs", answer("{\"items\": [" + RUN + "]}"));
        server.createContext("/api/v1/", answer(RUN));
        server.start();
        String url = "http://127.0.0.1:" + server.getAddress().getPort();
        Path plan = Files.createTempFile("redliner", ".yaml");
        try {
            run("status", "--url", url);
            run("status", "r1", "--url", url);
            run("status", "--output", "json", "--url", url);
            run("validate", plan.toString(), "--url", url);
            run("watch", "r1", "--url", url);
            run("report", "r1", "--url", url);
            run("--help");
        } finally {
            Files.delete(plan);
            server.stop(0);
        }
        // Nothing listens there any more.
        run("status", "--url", url);
    }

    private static void run(String... arguments) {
        RedlinerCommand.commandLine(arguments).execute(arguments);
    }

    private static HttpHandler answer(String body) {
        return HttpHandlers.of(200, Headers.of(), body);
    }
}

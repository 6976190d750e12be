// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance.browser;

import io.redliner.acceptance.ApiClient;
import io.redliner.acceptance.Orders;
import io.redliner.acceptance.OwnService;
import io.redliner.acceptance.RelaxedTimes;
import io.redliner.embedded.EnvoyBinary;
import io.redliner.embedded.FreePort;
import io.redliner.standalone.demo.InstanceModel;
import io.redliner.standalone.stack.DataFolder;
import io.redliner.standalone.stack.StackSettings;
import io.redliner.standalone.stack.StandaloneStack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The whole of RedLiner in this process before a small live service, with a client of its API. */
final class LiveDashboard implements AutoCloseable {

    static final String SERVICE = "shop-backend";

    /** Few enough to leave the machine to the browser. */
    private static final double REQUESTS_PER_SECOND = 200;

    private static final OwnService.Member INSTANCE = new OwnService.Member(
            new InstanceModel(12, Duration.ofMillis(20), 0.4, 200), 1);

    /** A search that hurries; what it finds does not matter here. */
    private static final Map<String, String> SETTINGS = RelaxedTimes.and(Map.of(
            "redliner.analyzer.search.settling", "500ms", "redliner.analyzer.search.baseline", "2s",
            "redliner.analyzer.search.dwell", "1s", "redliner.analyzer.search.least-ride", "10s",
            "redliner.analyzer.search.watching", "0s"));

    private final Path folder;

    private final OwnService service;

    private final DataFolder data;

    private final StandaloneStack stack;

    private final ApiClient controller;

    private final Orders orders;

    private @Nullable String finished;

    private LiveDashboard(Path folder) throws IOException {
        this.folder = folder;
        service = new OwnService(SERVICE, REQUESTS_PER_SECOND, Collections.nCopies(4, INSTANCE));
        data = DataFolder.lock(folder.resolve("data"));
        Path services = Files.writeString(folder.resolve("services.yaml"), "services:\n" + service.entry());
        // A port of its own, so that a controller that is started again is found where the one before was.
        stack = new StandaloneStack(new StackSettings(data, services, FreePort.next(), EnvoyBinary.locate(), SETTINGS));
        stack.start();
        URI address = stack.dashboard();
        controller = new ApiClient(address);
        orders = new Orders(address, null);
    }

    static LiveDashboard start() {
        // Without a browser no test needs the stack.
        var unused = Chromium.locate(System.getenv());
        try {
            return new LiveDashboard(Files.createTempDirectory("redliner-browser"));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot start RedLiner for the browser tests", e);
        }
    }

    OwnService service() {
        return service;
    }

    StandaloneStack stack() {
        return stack;
    }

    ApiClient controller() {
        return controller;
    }

    Orders orders() {
        return orders;
    }

    /** What the first caller's run was. */
    String finishedRun(Supplier<String> run) {
        String known = finished;
        if (known == null) {
            known = run.get();
            finished = known;
        }
        return known;
    }

    @Override
    public void close() throws IOException {
        orders.close();
        controller.close();
        stack.close();
        data.close();
        service.close();
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}

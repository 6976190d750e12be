// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.lab.server;

import io.redliner.benchmarks.lab.server.ServerKind.Collections;
import io.redliner.benchmarks.lab.server.ServerKind.Contention;
import io.redliner.benchmarks.lab.server.ServerKind.Link;
import io.redliner.benchmarks.lab.server.ServerKind.Queue;
import io.redliner.benchmarks.lab.server.ServerKind.Service;
import io.redliner.benchmarks.lab.server.ServerKind.Stalls;
import io.redliner.benchmarks.lab.server.ServerKind.WarmUp;
import java.util.List;

/** The 14 kinds that a search is measured on. */
public final class ServerKinds {

    private static final List<ServerKind> ALL = List.of(
            markovian("mmc16", 0.150),
            ServerKind.of("lognorm8", 0.120, 8, Service.logNormal(0.012, 1.0)),
            // The tail of the service time alone puts 0.66 % of the requests above the limit.
            ServerKind.of("heavy32", 0.400, 32, Service.logNormal(0.030, 1.5)),
            // An event loop.
            ServerKind.of("single", 0.010, 1, Service.logNormal(0.001, 0.6)),
            ServerKind.of("gc", 0.150, 8, Service.logNormal(0.010, 0.6)).with(new Collections(4_000, 0.04, 0.12)),
            // The network gives out at 833 requests/s.
            ServerKind.of("bw", 0.100, 64, Service.logNormal(0.015, 0.5)).with(new Link(0.0012, 0.8)),
            // Retrograde: a third of the throughput is lost beyond the knee.
            ServerKind.of("usl", 0.100, 64, Service.logNormal(0.010, 0.5)).with(new Contention(0.03, 0.002)),
            markovian("warm", 0.150).with(new WarmUp(1, 15)),
            // Limited by its errors.
            markovian("bounded", 0.200).with(new Queue(40, 2, 0, 0)),
            // A retry storm does not end by itself.
            markovian("meta", 0.200).with(new Queue(4_000, 0.5, 0.9, 3)),
            markovian("burst", 0.150).bursty(0.2),
            // 35 requests/s.
            ServerKind.of("lowrate", 0.600, 4, Service.logNormal(0.100, 0.8)),
            markovian("spiky", 0.150).with(new Stalls(100, 0.3, 0.6)),
            markovian("degrade", 0.150).degrading(0.000_2));

    private ServerKinds() {}

    /** All kinds. */
    public static List<ServerKind> all() {
        return ALL;
    }

    /**
     * Those of these names; all when "all" is among them.
     *
     * @throws IllegalArgumentException when there is none of a name
     */
    public static List<ServerKind> chosen(List<String> names) {
        return names.contains("all") ? all() : names.stream().map(ServerKinds::named).toList();
    }

    /**
     * One kind.
     *
     * @throws IllegalArgumentException when there is none of this name
     */
    public static ServerKind named(String name) {
        return ALL.stream().filter(kind -> kind.name().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no server kind '" + name + "': choose from "
                        + ALL.stream().map(ServerKind::name).toList()));
    }

    private static ServerKind markovian(String name, double limitSeconds) {
        return ServerKind.of(name, limitSeconds, 16, Service.exponential(0.020));
    }
}

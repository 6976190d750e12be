// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.stack;

import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * The TCP ports of the loopback interface by which the proxy and RedLiner find each other. They are kept beside the proxy's
 * configuration: a proxy that outlived its RedLiner looks for the next one there.
 */
record ProxyPorts(int xds, int accessLog, int admin) {

    /** The setting of the port where the redirector listens for proxies. */
    static final String XDS = "redliner.redirector.xds.port";

    /** The setting of the port where the collector listens for access logs. */
    static final String ACCESS_LOG = "redliner.collector.access-log.port";

    static final String FILE = "ports";

    private static final Pattern KEPT = Pattern.compile("(\\d{1,5}) (\\d{1,5}) (\\d{1,5})\\s*");

    /** Returns the ports that the properties of redirector and collector set. One that is 0 or not set is a free one. */
    static ProxyPorts of(Environment environment) {
        return new ProxyPorts(set(environment, XDS).orElseGet(FreePort::next),
                set(environment, ACCESS_LOG).orElseGet(FreePort::next), FreePort.next());
    }

    private static Optional<Integer> set(Environment environment, String property) {
        Optional<Integer> port = Binder.get(environment).bind(property, Integer.class).map(Optional::of)
                .orElse(Optional.empty());
        return port.filter(given -> given != 0);
    }

    /**
     * Takes the ports that were kept in the folder, if RedLiner can listen there, and no others are set.
     *
     * @throws UncheckedIOException when the folder cannot be read
     */
    static Optional<ProxyPorts> load(Path folder, Environment environment) {
        Path file = folder.resolve(FILE);
        try {
            Matcher ports = KEPT.matcher(Files.exists(file) ? Files.readString(file, StandardCharsets.ISO_8859_1) : "");
            return ports.matches()
                    ? Optional.of(new ProxyPorts(Integer.parseInt(ports.group(1)), Integer.parseInt(ports.group(2)),
                            Integer.parseInt(ports.group(3))))
                            .filter(kept -> set(environment, XDS).orElse(kept.xds()) == kept.xds()
                                    && set(environment, ACCESS_LOG).orElse(kept.accessLog()) == kept.accessLog())
                            .filter(kept -> FreePort.take(kept.xds()) && FreePort.take(kept.accessLog())
                                    && FreePort.reserve(kept.admin()))
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + file, e);
        }
    }

    /** @throws UncheckedIOException when the folder cannot be written */
    void save(Path folder) {
        try {
            Files.writeString(Files.createDirectories(folder).resolve(FILE),
                    xds + " " + accessLog + " " + admin + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write into " + folder, e);
        }
    }

    /** Returns the bootstrap of a proxy that reports ejected instances. */
    EnvoyBootstrap bootstrap(String node) {
        return EnvoyBootstrap.everything(node, xds, accessLog, admin).reportingEjections();
    }
}

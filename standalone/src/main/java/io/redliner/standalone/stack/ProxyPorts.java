// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.stack;

import io.redliner.embedded.EnvoyBootstrap;
import io.redliner.embedded.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The TCP ports of the loopback interface by which the proxy and RedLiner find each other. They are kept beside the proxy's
 * configuration: a proxy that outlived its RedLiner looks for the next one there.
 */
record ProxyPorts(int xds, int accessLog, int admin) {

    private static final String FILE = "ports";

    private static final Pattern KEPT = Pattern.compile("(\\d{1,5}) (\\d{1,5}) (\\d{1,5})\\s*");

    static ProxyPorts fresh() {
        return new ProxyPorts(FreePort.next(), FreePort.next(), FreePort.next());
    }

    /**
     * Those that were kept in the folder, if RedLiner can listen there.
     *
     * @throws UncheckedIOException when the folder cannot be read
     */
    static Optional<ProxyPorts> kept(Path folder) {
        Path file = folder.resolve(FILE);
        try {
            Matcher ports = KEPT.matcher(Files.exists(file) ? Files.readString(file) : "");
            return ports.matches()
                    ? Optional.of(new ProxyPorts(Integer.parseInt(ports.group(1)), Integer.parseInt(ports.group(2)),
                            Integer.parseInt(ports.group(3))))
                            .filter(kept -> FreePort.isFree(kept.xds()) && FreePort.isFree(kept.accessLog()))
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + file, e);
        }
    }

    /** @throws UncheckedIOException when the folder cannot be written */
    void keep(Path folder) {
        try {
            Files.writeString(Files.createDirectories(folder).resolve(FILE),
                    xds + " " + accessLog + " " + admin + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write into " + folder, e);
        }
    }

    EnvoyBootstrap bootstrap(String node) {
        return EnvoyBootstrap.everything(node, xds, accessLog, admin);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import io.redliner.collector.window.Subject;
import java.net.URI;
import java.util.Optional;

/**
 * An instance that this collector was told of.
 *
 * @param subject whom the measurements are of
 * @param port of the instance's address: the TCP port that it listens on
 * @param local whether it runs on this machine, so that the machine's figures and its process can be looked at
 * @param scrape where it exposes metrics for Prometheus, if it does
 * @param jmx the JMX service URL of its JVM, or {@code local}: of the local process that listens on the port
 */
public record Target(Subject subject, int port, boolean local, Optional<URI> scrape, Optional<String> jmx) {}

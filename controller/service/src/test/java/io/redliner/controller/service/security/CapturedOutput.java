// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.security;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.coyote.AbstractProtocol;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * What is logged and printed while it is open; it is printed all the same. Several may be open, and may close in any
 * order.
 */
public final class CapturedOutput implements AutoCloseable {

    private static final List<CapturedOutput> OPEN = new CopyOnWriteArrayList<>();

    static {
        System.setOut(new PrintStream(new Copies(System.out), true, StandardCharsets.UTF_8));
    }

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    private final Predicate<String> threads;

    /** Everything of this process: other tests, too, log and print beside this one. */
    public CapturedOutput() {
        this(thread -> true);
    }

    private CapturedOutput(Predicate<String> threads) {
        this.threads = threads;
        OPEN.add(this);
    }

    /** Only what the threads that serve the requests of one controller log and print. */
    public static CapturedOutput ofServer(ConfigurableApplicationContext controller) {
        List<String> prefixes = protocols(controller)
                .map(protocol -> protocol.getName().replace("\"", "")
                        .replaceFirst("-" + protocol.getLocalPort() + "$", "") + "-exec-")
                .toList();
        return new CapturedOutput(thread -> prefixes.stream().anyMatch(thread::startsWith));
    }

    /** The protocols of the ports at which a controller serves. */
    static Stream<AbstractProtocol<?>> protocols(ConfigurableApplicationContext controller) {
        if (((WebServerApplicationContext) controller).getWebServer() instanceof TomcatWebServer server) {
            return Stream.of(server.getTomcat().getService().findConnectors())
                    .map(connector -> (AbstractProtocol<?>) connector.getProtocolHandler());
        }
        throw new IllegalArgumentException("a controller without Tomcat");
    }

    public String text() {
        return output.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        OPEN.remove(this);
    }

    private static final class Copies extends OutputStream {

        private final PrintStream before;

        Copies(PrintStream before) {
            this.before = before;
        }

        @Override
        public void write(int letter) {
            write(new byte[]{(byte) letter}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            before.write(bytes, offset, length);
            String thread = Thread.currentThread().getName();
            for (CapturedOutput captured : OPEN) {
                if (captured.threads.test(thread)) {
                    captured.output.write(bytes, offset, length);
                }
            }
        }
    }
}

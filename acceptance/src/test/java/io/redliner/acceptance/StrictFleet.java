// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;

/** Instances as Spring Boot makes them: a Tomcat each, which answers 400 to a Host that is no host name. */
final class StrictFleet implements AutoCloseable {

    private final List<Tomcat> servers;

    private final Map<String, Long> arrivals = new ConcurrentHashMap<>();

    /** @param folder of what Tomcat writes */
    StrictFleet(int size, Path folder) {
        this.servers = IntStream.range(0, size).mapToObj(i -> start("instance-" + i, folder)).toList();
    }

    private Tomcat start(String name, Path folder) {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.resolve(name).toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getEngine().setName(name);
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "answer", new Answer(tomcat));
        context.addServletMappingDecoded("/*", "answer");
        try {
            tomcat.start();
        } catch (LifecycleException impossible) {
            throw new IllegalStateException(impossible);
        }
        return tomcat;
    }

    private static String address(Tomcat tomcat) {
        return "127.0.0.1:" + tomcat.getConnector().getLocalPort();
    }

    private final class Answer extends HttpServlet {

        private static final long serialVersionUID = 1;

        @SuppressWarnings("serial") // No session is kept.
        private final Tomcat tomcat;

        Answer(Tomcat tomcat) {
            this.tomcat = tomcat;
        }

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) {
            if (!request.getRequestURI().equals("/health")) {
                arrivals.merge(address(tomcat), 1L, Long::sum);
            }
            response.setStatus(HttpServletResponse.SC_OK);
            response.setContentLength(0);
        }
    }

    /** The instances' host:port. */
    List<String> addresses() {
        return servers.stream().map(StrictFleet::address).toList();
    }

    /** Requests of users that arrived at each instance so far. */
    Map<String, Long> arrivals() {
        return Map.copyOf(arrivals);
    }

    @Override
    public void close() {
        try {
            for (Tomcat server : servers) {
                server.stop();
                server.destroy();
            }
        } catch (LifecycleException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}

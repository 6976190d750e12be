// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.stack;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.status.StatusManager;
import io.redliner.embedded.EmbeddedDatabase;
import io.redliner.embedded.EmbeddedKafka;
import io.redliner.embedded.EnvoyProcess;
import io.redliner.embedded.EnvoySupervisor;
import io.redliner.embedded.FreePort;
import io.redliner.embedded.OpenFiles;
import io.redliner.embedded.ProcessListener;
import io.redliner.collector.kafka.OwnLimitReport;
import io.redliner.redirector.config.ServicesFileParser;
import io.redliner.redirector.eventloop.ProxyRefusals;
import io.redliner.redirector.routing.RoutedServices;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * A whole RedLiner in one process: Kafka, PostgreSQL, the four components, and an Envoy as a child process. Parts are stopped in
 * the reverse order of their start, so the controller stops while everything that it needs to restore the traffic still runs.
 */
public final class StandaloneStack implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(StandaloneStack.class);

    static final String NODE = "standalone";

    private static final Duration PROXY_START = Duration.ofSeconds(90);

    private final StackSettings settings;

    private final Environment environment;

    /** The ports that the proxy knows: a component that is started again has to listen on the same ones. */
    private ProxyPorts ports;

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    private final Map<StackComponent, ConfigurableApplicationContext> components = new EnumMap<>(StackComponent.class);

    private volatile boolean closed;

    private @Nullable EmbeddedKafka kafka;

    private @Nullable EmbeddedDatabase database;

    private @Nullable EnvoySupervisor envoySupervisor;

    private @Nullable ProxyRefusals refusals;

    private final ProcessListener listener;

    private static final class Logged implements ProcessListener {

        @Override
        public void changed(String text) {
            log.warn(text);
        }

        @Override
        public void gaveUp(String text) {
            log.error(text);
        }
    }

    /** Creates a stack that does not run yet, and that logs what happens to its processes. */
    public StandaloneStack(StackSettings settings) {
        this(settings, new Logged());
    }

    /** Creates a stack that does not run yet. */
    public StandaloneStack(StackSettings settings, ProcessListener listener) {
        this.settings = settings;
        this.listener = listener;
        this.environment = environment(settings.more());
        this.ports = ProxyPorts.of(environment);
    }

    /** Returns the properties that are set for this process from outside, overridden by the further settings. */
    private static Environment environment(Map<String, String> more) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("more", Map.copyOf(more)));
        ConfigurationPropertySources.attach(environment);
        return environment;
    }

    /**
     * Starts everything, and returns when the controller answers.
     *
     * @throws io.redliner.redirector.config.InvalidServicesFileException when the services file has a mistake
     * @throws io.redliner.embedded.PortInUseException when the port of the dashboard or of a service is taken
     * @throws RuntimeException when a part does not start; {@link #close()} stops what had been started
     */
    public void start() {
        start(() -> {});
    }

    /**
     * Like {@link #start()}.
     *
     * @param serving runs as soon as the proxy serves users, before the analyzer and the controller start
     */
    public void start(Runnable serving) {
        // A mistake in the file is reported before a leftover proxy, which still serves users, is ended.
        ServicesFileParser.read(settings.services());
        OpenFiles.require();
        if (settings.dashboardPort() != 0) {
            FreePort.require("dashboard", settings.dashboardPort());
        }
        Optional<EnvoyProcess> leftover = leftover();
        startStorage();
        start(StackComponent.REDIRECTOR);
        start(StackComponent.COLLECTOR);
        EnvoySupervisor supervisor = register(
                () -> new EnvoySupervisor(leftover.orElseGet(this::startProxy), this::restartProxy,
                        listener, InstantSource.system()));
        envoySupervisor = supervisor;
        supervisor.awaitLive(PROXY_START);
        serving.run();
        start(StackComponent.ANALYZER);
        start(StackComponent.CONTROLLER);
    }

    /** Starts the database while the broker starts. {@link #close()} waits for both, like for any part that is starting. */
    private synchronized void startStorage() {
        requireOpen();
        int port = FreePort.next();
        FutureTask<EmbeddedDatabase> starting = new FutureTask<>(
                () -> EmbeddedDatabase.start(settings.data().resolve(DataFolder.DATABASE), port));
        Thread.ofPlatform().name("database-start").start(starting);
        try {
            kafka = register(() -> EmbeddedKafka.start(settings.data().resolve("kafka"), FreePort.next()));
        } finally {
            // Also when the broker did not start: the database server is a separate process that has to be stopped.
            database = register(() -> join(starting));
        }
        started(database)
                .onExit(() -> died("PostgreSQL died: no run can begin, and live ones end with natural traffic"));
        started(kafka)
                .onExit(() -> died("Kafka died: no run can begin, and live ones end with natural traffic"));
    }

    private void died(String part) {
        if (!closed) {
            listener.changed(part + ". Users are served. End RedLiner with Ctrl-C and start it again; its log: "
                    + settings.data().log());
        }
    }

    private static <T> T join(Future<T> starting) {
        try {
            return starting.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while PostgreSQL started", e);
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("RedLiner is stopping");
        }
    }

    /** Starts a part and registers it for {@link #close()}; after that it throws, because the part would never be stopped. */
    private synchronized <T extends AutoCloseable> T register(Supplier<T> starting) {
        requireOpen();
        T part = starting.get();
        parts.push(part);
        return part;
    }

    /** Returns the proxy that an earlier RedLiner left running in this folder, if it can work with this one. */
    private Optional<EnvoyProcess> leftover() {
        Optional<ProxyPorts> kept = ProxyPorts.load(proxyFolder(), environment);
        Optional<EnvoyProcess> leftover = kept.flatMap(
                known -> EnvoyProcess.leftover(settings.envoy(), known.bootstrap(NODE), proxyFolder()));
        if (leftover.isPresent()) {
            ports = kept.get();
            log.info("Going on with the proxy {} that was left over in {}", leftover.get().pid(), proxyFolder());
        }
        return leftover;
    }

    private Path proxyFolder() {
        return settings.data().resolve("envoy");
    }

    private EnvoyProcess startProxy() {
        // A leftover proxy that cannot work with this RedLiner may still listen on the services' ports.
        EnvoyProcess.endLeftover(NODE, proxyFolder());
        // Envoy refuses a listener whose port is taken and is ready all the same: users would find nobody there.
        listenPorts().forEach((service, port) -> FreePort.require("service " + service, port));
        ports.save(proxyFolder());
        return launchProxy();
    }

    private EnvoyProcess launchProxy() {
        return EnvoyProcess.start(settings.envoy(), ports.bootstrap(NODE), proxyFolder());
    }

    private Map<String, Integer> listenPorts() {
        Map<String, Integer> byService = new HashMap<>();
        context(StackComponent.REDIRECTOR).getBean(RoutedServices.class).services()
                .forEach(service -> service.integration().listenAddress()
                        .ifPresent(listen -> byService.put(service.name(), listen.port())));
        return byService;
    }

    /** Replaces a proxy that died. A port that another process took meanwhile must not keep other services from being served. */
    private EnvoyProcess restartProxy() {
        EnvoyProcess process = launchProxy();
        try {
            process.awaitLive(PROXY_START);
            Map<String, Integer> listeners = listenPorts();
            if (!listeners.isEmpty() && listeners.values().stream().noneMatch(process::listensOn)) {
                throw new IllegalStateException("Envoy cannot listen on any port of a service " + listeners
                        + ": end the process that listens there");
            }
            return process;
        } catch (RuntimeException failure) {
            process.close();
            throw failure;
        }
    }

    /** Starts a component that does not run. */
    public void start(StackComponent component) {
        List<String> arguments = new ArrayList<>();
        properties(component).forEach((name, value) -> arguments.add("--" + name + "=" + value));
        SpringApplicationBuilder application = component.application().registerShutdownHook(false);
        if (component == StackComponent.CONTROLLER) {
            application.initializers(this::addProxyHealth);
        }
        components.put(component, register(() -> application.run(arguments.toArray(String[]::new))));
        if (component == StackComponent.REDIRECTOR) {
            refusals = context(component).getBean(ProxyRefusals.class);
            refusals.listen(listener::changed);
        } else if (component == StackComponent.COLLECTOR) {
            context(component).getBean(OwnLimitReport.class).listen(listener::changed);
        }
        keepTerminalFree();
    }

    /** Keeps the log's own errors off the terminal, such as a full disk. Spring lets them be printed with each component. */
    private static void keepTerminalFree() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            StatusManager statusManager = context.getStatusManager();
            statusManager.getCopyOfStatusListenerList().forEach(statusManager::remove);
        }
    }

    /** Adds the proxy to the controller's health, where users look: whether the proxy of this process runs, and what it refuses. */
    private void addProxyHealth(ConfigurableApplicationContext controller) {
        ((GenericApplicationContext) controller).registerBean("proxyHealthIndicator", HealthIndicator.class,
                () -> () -> started(envoySupervisor).problem()
                        .map(problem -> Health.down().withDetail("reason", problem).build())
                        .orElseGet(() -> Health.up().withDetail("process", started(envoySupervisor).pid()).build()));
        ((GenericApplicationContext) controller).registerBean("proxyRefusalsHealthIndicator", HealthIndicator.class,
                () -> () -> started(refusals).health());
    }

    private Map<String, String> properties(StackComponent component) {
        Map<String, String> properties = new HashMap<>(Map.of("redliner.kafka.bootstrap-servers",
                started(kafka).bootstrapServers(), "redliner.kafka.topic-prefix", started(kafka).topicPrefix(),
                "spring.main.banner-mode", "off", "logging.config",
                "classpath:standalone-logback.xml", "spring.autoconfigure.exclude",
                component.excludedAutoConfigurations()));
        switch (component) {
            case REDIRECTOR -> properties.putAll(
                    Map.of("server.port", "0", "redliner.redirector.services.file", settings.services().toString()));
            case COLLECTOR -> properties.put("server.port", "0");
            case ANALYZER -> properties.putAll(Map.of("server.port", "0", "redliner.analyzer.stream.state-directory",
                    settings.data().resolve("analyzer").toString()));
            case CONTROLLER -> properties.putAll(Map.of("server.port", Integer.toString(settings.dashboardPort()),
                    "spring.datasource.url", started(database).jdbcUrl(),
                    // On a crowded machine a database that has just started does not answer at once.
                    "spring.flyway.connect-retries", "12", "spring.flyway.connect-retries-interval", "5s"));
        }
        properties.putAll(settings.more());
        properties.put(ProxyPorts.XDS, Integer.toString(ports.xds()));
        properties.put(ProxyPorts.ACCESS_LOG, Integer.toString(ports.accessLog()));
        return properties;
    }

    /** Stops one component and leaves the others alone: for tests of what happens then. */
    public void stop(StackComponent component) {
        context(component).close();
    }

    /** Stops the broker and leaves the components alone: for tests of what happens then. */
    public void stopKafka() {
        started(kafka).close();
    }

    /** Returns the address of the REST API and the dashboard. */
    public URI dashboard() {
        return http(StackComponent.CONTROLLER);
    }

    /** Returns the address of the kill switch, which is served apart from everything else. */
    public URI killSwitch() {
        return URI.create("http://127.0.0.1:"
                + context(StackComponent.CONTROLLER).getEnvironment().getRequiredProperty("local.emergency.port")
                + "/api/v1/kill-switch");
    }

    /** Returns the HTTP address of a component: for tests that read its metrics. */
    public URI http(StackComponent component) {
        String port = context(component).getEnvironment().getRequiredProperty("local.server.port");
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Returns the address of the broker: for tests that read the messages between the components. */
    public String bootstrapServers() {
        return started(kafka).bootstrapServers();
    }

    /** Returns the address of the database: for tests with another controller. */
    public String databaseUrl() {
        return started(database).jdbcUrl();
    }

    /** Returns the address of the proxy's admin interface: for tests that check its behaviour. */
    public URI proxyAdmin() {
        return URI.create("http://127.0.0.1:" + started(envoySupervisor).adminPort());
    }

    /** Returns the redirector's TCP port of the loopback interface: for tests with a proxy of their own. */
    public int xdsPort() {
        return ports.xds();
    }

    /** Returns the collector's TCP port for access logs, on the loopback interface: for tests with a proxy of their own. */
    public int accessLogPort() {
        return ports.accessLog();
    }

    private ConfigurableApplicationContext context(StackComponent component) {
        return started(components.get(component));
    }

    private static <T> T started(@Nullable T part) {
        return Objects.requireNonNull(part, "RedLiner was not started");
    }

    /**
     * Stops everything, as far as it can be stopped.
     *
     * @throws IllegalStateException when a part could not be stopped; the others are
     */
    @Override
    public synchronized void close() {
        closed = true;
        IllegalStateException failure = new IllegalStateException("Not everything could be stopped");
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception e) {
                log.warn("Cannot stop {} cleanly", part, e);
                failure.addSuppressed(e);
            }
        }
        if (failure.getSuppressed().length > 0) {
            throw failure;
        }
    }
}

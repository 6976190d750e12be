// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.analyzer;

import io.redliner.analyzer.AnalyzerApplication;
import io.redliner.benchmarks.process.JavaProcess;
import java.io.IOException;
import java.time.InstantSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The analyzer itself; in a process of its own it ends when nobody listens to it any more. */
final class AnalyzerProcess {

    /** What other rooms brought to this class path. */
    private static final String OTHERS = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
            + "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration";

    private AnalyzerProcess() {}

    /** Runs it until its input ends, with the arguments of the application. */
    public static void main(String[] arguments) throws IOException {
        try (var application = SpringApplication.run(AnalyzerApplication.class, arguments)) {
            System.out.println(JavaProcess.READY + application.getId());
            while (System.in.read() >= 0) {
                // Nothing is said; the end of the input is what is waited for.
            }
        }
        System.exit(0);
    }

    /** In this process, with another clock. */
    static ConfigurableApplicationContext start(InstantSource clock, String... arguments) {
        var application = new SpringApplication(AnalyzerApplication.class);
        application.addInitializers(context -> context.getBeanFactory().registerSingleton("otherClock", clock));
        application.addInitializers(context -> context.addBeanFactoryPostProcessor(factory -> factory
                .getBeanDefinition("clock").setAutowireCandidate(false)));
        return application.run(arguments);
    }

    static String[] arguments(String bootstrapServers, String folder, String... more) {
        var common = new String[]{"--server.port=0", "--redliner.kafka.bootstrap-servers=" + bootstrapServers,
            "--redliner.analyzer.stream.state-directory=" + folder, "--spring.main.banner-mode=off",
            "--spring.autoconfigure.exclude=" + OTHERS,
            "--logging.level.root=WARN", "--logging.threshold.console=WARN"};
        var all = new String[common.length + more.length];
        System.arraycopy(common, 0, all, 0, common.length);
        System.arraycopy(more, 0, all, common.length, more.length);
        return all;
    }
}

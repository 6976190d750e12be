// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.safety.RejectionReason;
import io.redliner.controller.core.safety.RunRejectedException;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.service.persistence.CapacityRepository;
import io.redliner.controller.service.persistence.NotificationQueries;
import io.redliner.controller.service.persistence.NotificationRepository;
import io.redliner.controller.service.submission.PlanValidator;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.mail.javamail.JavaMailSender;

/** Wires notifications. Without {@code spring.mail.host} no mail is sent, and no plan may ask for it. */
@Configuration(proxyBeanMethods = false)
@Import({NotificationRepository.class, NotificationQueries.class})
@EnableConfigurationProperties(NotificationProperties.class)
class NotificationConfiguration {

    @Bean
    ChannelRegistry receivers(NotificationProperties properties, ObjectProvider<JavaMailSender> mail) {
        return new ChannelRegistry(properties, mail.getIfAvailable() != null);
    }

    @Bean
    ChannelValidator receiverCheck(ChannelRegistry channels) {
        return new ChannelValidator(channels);
    }

    @Bean
    NotificationEnqueuer announcer(NotificationRepository notifications, CapacityRepository capacities,
            ChannelRegistry channels, NotificationProperties properties, MeterRegistry meters) {
        return new NotificationEnqueuer(notifications, capacities, channels, properties.capacityChange(), meters);
    }

    @Bean(destroyMethod = "close")
    NotificationHttpClient httpPoster(NotificationProperties properties, InstantSource clock) {
        return new NotificationHttpClient(properties.timeout(), properties.concurrency(), clock);
    }

    @Bean
    NotificationSender notificationSender(RunJsonMapper json, ChannelRegistry channels, NotificationHttpClient http,
            ObjectProvider<JavaMailSender> mail, NotificationProperties properties, InstantSource clock) {
        NotificationLinks links = new NotificationLinks(properties.publicUrl());
        return new NotificationSender(json, channels, http, mailer(mail.getIfAvailable(), properties, links), links,
                clock);
    }

    private static @Nullable NotificationMailer mailer(@Nullable JavaMailSender sender,
            NotificationProperties properties, NotificationLinks links) {
        return sender == null ? null : new NotificationMailer(sender, properties.mailFrom(), links);
    }

    @Bean
    NotificationWorker notifier(NotificationRepository notifications, NotificationQueries queries,
            NotificationSender sender, NotificationProperties properties, MeterRegistry meters, InstantSource clock) {
        return new NotificationWorker(notifications, queries, sender, properties, meters, clock,
                () -> ThreadLocalRandom.current().nextDouble());
    }

    @Bean
    NotifyLifecycle notifyLifecycle(NotificationWorker worker) {
        return new NotifyLifecycle(worker);
    }

    @Bean
    NotificationHealthIndicator notifyHealth(NotificationWorker worker) {
        return new NotificationHealthIndicator(worker);
    }

    /** Refuses plans with receivers that this controller cannot notify. */
    static final class ChannelValidator implements PlanValidator {

        private final ChannelRegistry channels;

        ChannelValidator(ChannelRegistry channels) {
            this.channels = channels;
        }

        @Override
        public void check(Plan plan) {
            for (int entry = 0; entry < plan.notifications().size(); entry++) {
                Optional<String> fault = channels.fault(plan.notifications().get(entry).receiver());
                if (fault.isPresent()) {
                    throw new RunRejectedException(RejectionReason.RECEIVER_NOT_CONFIGURED, fault.get(),
                            "$.spec.notify[" + entry + "]", List.of());
                }
            }
        }
    }

    /** Starts before the executor and stops after it, so that messages about runs that a stopping controller ends may be sent. */
    static final class NotifyLifecycle implements SmartLifecycle {

        private static final Duration STOP_TIMEOUT = Duration.ofSeconds(2);

        private final NotificationWorker worker;

        private volatile boolean running;

        NotifyLifecycle(NotificationWorker worker) {
            this.worker = worker;
        }

        @Override
        public void start() {
            worker.start();
            running = true;
        }

        @Override
        public void stop() {
            running = false;
            worker.stop(STOP_TIMEOUT);
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return Integer.MAX_VALUE - 2;
        }
    }

    /**
     * Reports the worker's health: down when its thread has died. A receiver that refuses messages is only named in the details,
     * because the controller works.
     */
    static final class NotificationHealthIndicator implements HealthIndicator {

        private final NotificationWorker worker;

        NotificationHealthIndicator(NotificationWorker worker) {
            this.worker = worker;
        }

        @Override
        public Health health() {
            Health.Builder health = worker.alive() ? Health.up() : Health.down();
            String broken = worker.failure();
            if (broken != null) {
                health.withDetail("notifierDiedOf", broken);
            }
            return health.withDetail("notifier", worker.alive())
                    .withDetail("working", worker.working())
                    .withDetail("waiting", worker.counts().waiting())
                    .withDetail("dead", worker.counts().dead())
                    .withDetail("unreached", worker.unreached())
                    .build();
        }
    }
}

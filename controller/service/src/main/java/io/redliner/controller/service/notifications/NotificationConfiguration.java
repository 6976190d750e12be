// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.controller.core.port.WorkerScheduler;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.safety.RejectionReason;
import io.redliner.controller.core.safety.RunRejectedException;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.service.persistence.CapacityRepository;
import io.redliner.controller.service.persistence.NotificationQueries;
import io.redliner.controller.service.persistence.NotificationRepository;
import io.redliner.controller.service.persistence.ScheduledTaskRepository;
import io.redliner.controller.service.persistence.UnreadableRows;
import io.redliner.controller.service.scheduling.SchedulerLifecycle;
import io.redliner.controller.service.submission.PlanValidator;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.mail.javamail.JavaMailSender;
import org.springframework.transaction.support.TransactionTemplate;

/** Wires notifications. Without {@code spring.mail.host} no mail is sent, and no plan may ask for it. */
@Configuration(proxyBeanMethods = false)
@Import(NotificationQueries.class)
@EnableConfigurationProperties({NotificationProperties.class, DeliveryProperties.class})
class NotificationConfiguration {

    /** Interval of the heartbeats: a delivery that a dead controller picked and did not begin is picked again after a few of them. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(3);

    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(2);

    @Bean
    NotificationRepository notificationRepository(DataSource database, JdbcClient jdbc,
            TransactionTemplate transaction, RunJsonMapper json, UnreadableRows unreadable) {
        return new NotificationRepository(jdbc, transaction,
                new ScheduledTaskRepository(database, jdbc, ScheduledTaskRepository.DELIVERIES), json, unreadable);
    }

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
    NotificationHttpClient httpPoster(DeliveryProperties properties, InstantSource clock) {
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
    NotificationDeliveryHandler deliveryHandler(NotificationRepository notifications, NotificationSender sender,
            DeliveryProperties properties, MeterRegistry meters, InstantSource clock) {
        return new NotificationDeliveryHandler(notifications, sender, properties, meters, clock,
                () -> ThreadLocalRandom.current().nextDouble());
    }

    /** Returns a scheduler that outlives the executor, so that messages about runs that a stopping controller ends may be sent. */
    @Bean
    SchedulerLifecycle deliveryScheduler(DataSource database, NotificationDeliveryHandler handler,
            DeliveryProperties properties, InstantSource clock) {
        return new SchedulerLifecycle(new TransactionAwareDataSourceProxy(database),
                new SchedulerLifecycle.Settings(ScheduledTaskRepository.DELIVERIES, properties.concurrency(),
                        1, properties.poll(), HEARTBEAT, properties.poll(), STOP_TIMEOUT, Integer.MAX_VALUE - 2),
                Map.of(ScheduledTaskRepository.DELIVERY, handler), List.of(), clock);
    }

    /** Watches the deliveries. The bean has the name of the health component. */
    @Bean
    NotificationMonitor notifyHealth(NotificationRepository notifications, NotificationQueries queries,
            SchedulerLifecycle deliveryScheduler, DeliveryProperties properties, MeterRegistry meters,
            InstantSource clock, WorkerScheduler scheduler) {
        return new NotificationMonitor(notifications, queries, deliveryScheduler, properties.keep(), meters, clock,
                scheduler);
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
}

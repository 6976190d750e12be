// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.service.persistence.CapacityRepository;
import io.redliner.controller.service.persistence.NotificationQueries;
import io.redliner.controller.service.persistence.NotificationRepository;
import io.redliner.controller.service.persistence.UnreadableRows;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.mail.javamail.JavaMailSender;

/** Wires notifications. Without {@code spring.mail.host} no mail is sent, and no plan may ask for it. */
@Configuration(proxyBeanMethods = false)
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
    NotificationRepository notificationStore(JdbcClient jdbc, RunJsonMapper json, UnreadableRows unreadable) {
        return new NotificationRepository(jdbc, json, unreadable);
    }

    @Bean
    NotificationQueries notificationQueries(JdbcClient jdbc) {
        return new NotificationQueries(jdbc);
    }

    @Bean
    NotificationEnqueuer announcer(NotificationRepository notifications, CapacityRepository capacities,
            ChannelRegistry channels,
            NotificationProperties properties, MeterRegistry meters) {
        return new NotificationEnqueuer(notifications, capacities, channels, properties.capacityChange(), meters);
    }

    @Bean(destroyMethod = "close")
    NotificationHttpClient httpPoster(NotificationProperties properties, InstantSource clock) {
        return new NotificationHttpClient(properties.timeout(), properties.concurrency(), clock);
    }

    @Bean
    NotificationSender notificationSender(RunJsonMapper json, ChannelRegistry channels, NotificationHttpClient http,
            ObjectProvider<JavaMailSender> mail,
            NotificationProperties properties, InstantSource clock) {
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
            NotificationSender sender,
            NotificationProperties properties, MeterRegistry meters, InstantSource clock) {
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
}

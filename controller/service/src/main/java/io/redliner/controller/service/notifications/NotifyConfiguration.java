// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.notifications;

import io.micrometer.core.instrument.MeterRegistry;
import io.redliner.controller.service.persistence.CapacityQueries;
import io.redliner.controller.service.persistence.RunJson;
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

/** Wires notifications. Without {@code spring.mail.host} there is nobody who sends mail, and no plan may ask for it. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(NotifyProperties.class)
class NotifyConfiguration {

    @Bean
    Receivers receivers(NotifyProperties properties, ObjectProvider<JavaMailSender> mail) {
        return new Receivers(properties, mail.getIfAvailable() != null);
    }

    @Bean
    ReceiverCheck receiverCheck(Receivers receivers) {
        return new ReceiverCheck(receivers);
    }

    @Bean
    NotificationStore notificationStore(JdbcClient jdbc, RunJson json, UnreadableRows unreadable) {
        return new NotificationStore(jdbc, json, unreadable);
    }

    @Bean
    NotificationQueries notificationQueries(JdbcClient jdbc) {
        return new NotificationQueries(jdbc);
    }

    @Bean
    Announcer announcer(NotificationStore store, CapacityQueries capacities, Receivers receivers,
            NotifyProperties properties, MeterRegistry meters) {
        return new Announcer(store, capacities, receivers, properties.capacityChange(), meters);
    }

    @Bean(destroyMethod = "close")
    HttpPoster httpPoster(NotifyProperties properties, InstantSource clock) {
        return new HttpPoster(properties.timeout(), properties.concurrency(), clock);
    }

    @Bean
    Courier courier(RunJson json, Receivers receivers, HttpPoster http, ObjectProvider<JavaMailSender> mail,
            NotifyProperties properties, InstantSource clock) {
        Links links = new Links(properties.publicUrl());
        return new Courier(json, receivers, http, mailer(mail.getIfAvailable(), properties, links), links, clock);
    }

    private static @Nullable Mailer mailer(@Nullable JavaMailSender sender, NotifyProperties properties, Links links) {
        return sender == null ? null : new Mailer(sender, properties.mailFrom(), links);
    }

    @Bean
    Notifier notifier(NotificationStore store, NotificationQueries queries, Courier courier,
            NotifyProperties properties, MeterRegistry meters, InstantSource clock) {
        return new Notifier(store, queries, courier, properties, meters, clock,
                () -> ThreadLocalRandom.current().nextDouble());
    }

    @Bean
    NotifyLifecycle notifyLifecycle(Notifier notifier) {
        return new NotifyLifecycle(notifier);
    }

    @Bean
    NotifyHealth notifyHealth(Notifier notifier) {
        return new NotifyHealth(notifier);
    }
}

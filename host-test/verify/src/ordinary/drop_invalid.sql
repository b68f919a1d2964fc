DO $$ DECLARE name text; BEGIN
  SET LOCAL lock_timeout = '1s';
  FOR name IN SELECT indexrelid::regclass FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE NOT indisvalid AND relnamespace = 'messaging_inbox'::regnamespace
        AND relname ~ '_cc(new|old)[0-9]*$' LOOP
    EXECUTE 'DROP INDEX ' || name;
  END LOOP;
END $$

import { Ban, Ellipsis, Flag, Undo } from '../../components/icon.tsx';
import { Menu } from '../../components/menu.tsx';
import { useBlocked } from '../../hooks/use-blocked.ts';
import { displayName, firstName } from '../format.ts';
import { askToBlock, askToReport, unblock } from './ask.tsx';
import styles from './people.module.css';

interface PersonMenuProps {
  person: { id: string; name: string; email: string };
}

/** What can be done about somebody on their profile, and whether they are blocked. */
export function PersonMenu({ person: { id, ...named } }: PersonMenuProps) {
  const { data, refresh } = useBlocked();
  const person = { id, name: displayName(named) };
  const name = firstName(person);
  const isBlocked = data?.people.some((one) => one.id === id) ?? false;
  const after = async (isChanged: Promise<boolean>) => {
    if (await isChanged) await refresh();
  };
  const Mark = isBlocked ? Undo : Ban;
  return (
    <>
      <div className={`stack ${styles.corner}`}>
        <Menu
          label={`More about ${person.name}`}
          trigger={<Ellipsis size={20} />}
          items={[
            {
              label: isBlocked ? `Unblock ${name}` : `Block ${name}`,
              icon: Mark,
              onSelect: () => void after(isBlocked ? unblock(person) : askToBlock(person)),
            },
            {
              label: 'Report',
              icon: Flag,
              onSelect: () => void after(askToReport({ capsule: null, person })),
            },
          ]}
        />
      </div>
      {isBlocked && <p className="quiet small">You've blocked {name}.</p>}
    </>
  );
}
